/** The part of a number its last character belongs to, as RFC 8259 §6 draws them. */
export type NumberPart = 'sign' | 'zero' | 'integer' | 'point' | 'fraction' | 'e' | 'exponent_sign' | 'exponent';

type Step = Readonly<Partial<Record<NumberPart, NumberPart>>>;

const onDigit: Step = {
  sign: 'integer',
  integer: 'integer',
  point: 'fraction',
  fraction: 'fraction',
  e: 'exponent',
  exponent_sign: 'exponent',
  exponent: 'exponent',
};
const onPoint: Step = { zero: 'point', integer: 'point' };
const onE: Step = { zero: 'e', integer: 'e', fraction: 'e' };
const onSign: Step = { e: 'exponent_sign' };
const lastParts: ReadonlySet<NumberPart> = new Set(['zero', 'integer', 'fraction', 'exponent']);

const plus = 0x2b;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const capitalE = 0x45;
const smallE = 0x65;

/** The part that a number's first character begins; undefined if no number begins with it. */
export function firstNumberPart(code: number): NumberPart | undefined {
  if (code === minus) return 'sign';
  if (code === zero) return 'zero';
  return isDigit(code) ? 'integer' : undefined;
}

/** The part that a further character leads to; undefined if the number cannot go on with it. */
export function nextNumberPart(part: NumberPart, code: number): NumberPart | undefined {
  if (isDigit(code)) return part === 'sign' && code === zero ? 'zero' : onDigit[part];
  if (code === point) return onPoint[part];
  if (code === smallE || code === capitalE) return onE[part];
  return code === plus || code === minus ? onSign[part] : undefined;
}

/** Whether a number may end in this part: `1.5` may, `1.` may not. */
export function canEndNumber(part: NumberPart): boolean {
  return lastParts.has(part);
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}
