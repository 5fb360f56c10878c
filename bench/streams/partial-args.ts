import type { Random } from '../random.ts';
import { inputPieces } from '../words.ts';

/**
 * Cuts arguments as Vertex AI streams them: each value under its JSONPath, in the order of the document; a string in
 * pieces of 8 to 20 characters and an empty one that ends it; between the elements of an array a piece that says nothing.
 *
 * @param args An object whose keys need no brackets in a path.
 * @returns The members of a `functionCall` before its `willContinue`, as JSON text.
 */
export function partialArgs(random: Random, args: object): string[] {
  return memberPieces(random, '$', args);
}

function memberPieces(random: Random, path: string, container: object): string[] {
  return Object.entries(container).flatMap(([key, value]) => valuePieces(random, `${path}.${key}`, value));
}

function valuePieces(random: Random, path: string, value: unknown): string[] {
  if (typeof value === 'string') return stringPieces(random, path, value);
  if (typeof value === 'number') return [piece(path, `"numberValue": ${value}`)];
  if (typeof value === 'boolean') return [piece(path, `"boolValue": ${value}`)];
  if (Array.isArray(value)) return elementPieces(random, path, value);
  if (typeof value === 'object' && value !== null) return memberPieces(random, path, value);
  return [piece(path, '"nullValue": "NULL_VALUE"')];
}

function elementPieces(random: Random, path: string, elements: readonly unknown[]): string[] {
  if (elements.length === 0) return [`"partialArgs": [{"jsonPath": "${path}[]"}],`];
  return elements.flatMap((element, index) => [
    ...(index > 0 ? [''] : []),
    ...valuePieces(random, `${path}[${index}]`, element),
  ]);
}

function stringPieces(random: Random, path: string, text: string): string[] {
  return [
    ...inputPieces(random, text).map((part) =>
      piece(path, `"stringValue": ${JSON.stringify(part)},"willContinue": true`),
    ),
    piece(path, '"stringValue": ""'),
  ];
}

function piece(path: string, value: string): string {
  return `"partialArgs": [{"jsonPath": "${path}",${value}}],`;
}
