import type { Finding } from '../../../core/finding.ts';
import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import { isText } from '../wire.ts';

/** What a rule says of one place; the rule's own code is added to it. */
export type Found = Omit<Finding, 'code'>;

/** One part, and where it stands. */
export interface PlacedPart {
  readonly part: JsonObject;
  /** Its place among the parts of its content. */
  readonly place: number;
  /** Such as `contents[2].parts[0]`. */
  readonly path: string;
}

/** One content, and where it stands. */
export interface PlacedContent {
  readonly content: JsonObject;
  /** `user` where it says none. */
  readonly role: unknown;
  readonly index: number;
  /** Such as `contents[2]`. */
  readonly path: string;
  readonly parts: readonly PlacedPart[];
}

/** The contents of a request; none where an SDK is asked with a mere text. What is no content is passed over. */
export function contentsOf({ contents }: JsonObject): readonly PlacedContent[] {
  if (!Array.isArray(contents)) return [];
  return (contents as readonly unknown[]).flatMap((content, index): PlacedContent[] => {
    // An SDK takes bare parts here too, and makes a user's content of them.
    if (!isJsonObject(content) || !('parts' in content || 'role' in content)) return [];
    const path = `contents[${index}]`;
    return [{ content, role: content['role'] ?? 'user', index, path, parts: partsIn(content, path) }];
  });
}

function partsIn({ parts }: JsonObject, path: string): PlacedPart[] {
  if (!Array.isArray(parts)) return [];
  return (parts as readonly unknown[]).flatMap((part, place) =>
    isJsonObject(part) ? [{ part, place, path: `${path}.parts[${place}]` }] : [],
  );
}

/** The parts that the model wrote. */
export function modelParts(body: JsonObject): readonly PlacedPart[] {
  return contentsOf(body).flatMap(({ role, parts }) => (role === 'model' ? parts : []));
}

/** A member of an object under either of the names that the service takes: `thinkingConfig`, `thinking_config`. */
export function memberOf(object: JsonObject, name: string): unknown {
  const value = object[name];
  if (value !== undefined && value !== null) return value;
  let other = otherSpellings.get(name);
  if (other === undefined) {
    other = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    otherSpellings.set(name, other);
  }
  return object[other];
}

/** The names that were asked for, in their other spelling: a rule asks for the same few of each part. */
const otherSpellings = new Map<string, string>();

/** A member that is an object; undefined for any other. */
export function objectIn(object: JsonObject, name: string): JsonObject | undefined {
  const value = memberOf(object, name);
  return isJsonObject(value) ? value : undefined;
}

/** The signature of a part; undefined for a part without one. */
export function signatureOf(part: JsonObject): string | undefined {
  const signature = memberOf(part, 'thoughtSignature');
  return isText(signature) ? signature : undefined;
}

/** The call in a part. */
export function callIn({ part }: PlacedPart): JsonObject | undefined {
  return objectIn(part, 'functionCall');
}

/** The response in a part. */
export function responseIn({ part }: PlacedPart): JsonObject | undefined {
  return objectIn(part, 'functionResponse');
}

/** What the documentation allows in the place of a signature: for a history that another model wrote. */
export const sentinels: ReadonlySet<string> = new Set([
  'skip_thought_signature_validator',
  'context_engineering_is_the_way_to_go',
]);

/** What the service refuses. */
export function error(path: string, message: string): Found {
  return { path, message, severity: 'error' };
}

/** What the service takes, to the conversation's harm, or what it is not certain to refuse. */
export function warning(path: string, message: string): Found {
  return { path, message, severity: 'warning' };
}
