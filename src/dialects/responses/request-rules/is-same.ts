import { isJsonObject } from '../../../core/json-object.ts';

/** How deep two values are compared; what differs deeper down is not seen. */
const maxDepth = 256;

/** Whether two JSON values say the same; the order of members, and a member that is undefined, count for nothing. */
export function isSame(left: unknown, right: unknown, depth = 0): boolean {
  if (Object.is(left, right) || depth > maxDepth) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((value, index) => isSame(value, right[index], depth + 1));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => isSame(left[name], right[name], depth + 1));
}
