import { describe, expect, test } from 'vitest';
import { blockOf, readMessages, sourceOf } from '../../demo/anthropic/messages.ts';
import { createAnthropicService } from '../../demo/anthropic/service.ts';
import type { SentAnswer } from '../../demo/compare.ts';
import { script } from '../../demo/script.ts';

type Block = Record<string, unknown>;

const service = createAnthropicService();
const sent: readonly SentAnswer[] = service.answers.map(({ blocks }) => blocks);
const answer = script[0]?.blocks.map(sourceOf) ?? [];
const [thinking = '', text = '', laterThinking = '', redacted = '', aurora = '', lastThinking = '', clouds = ''] =
  answer;
const auroraResult = result('toolu_demo_aurora');
const cloudsResult = result('toolu_demo_clouds');
const results = user(auroraResult, cloudsResult);

const cannotBeModified =
  '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. ' +
  'These blocks must remain as they were in the original response.';
const mustStartWithThinking = 'Expected `thinking` or `redacted_thinking`, but found';
const bound = 'Invalid `signature` in `thinking` block. The block is bound to a different conversation.';
const missingThinking = 'The `thinking` block that preceded this one when it was created is missing from this request.';
const unanswered = '`tool_use` ids were found without `tool_result` blocks immediately after:';

describe('verifyMessages', () => {
  test('accepts an answer that comes back as it was', () => {
    expect(verify(assistant(answer), results)).toBeNull();
  });

  test('accepts blocks whose keys stand in another order', () => {
    const reordered = edit(thinking, ({ type, ...rest }) => ({ ...rest, type }));
    expect(verify(assistant([reordered, ...answer.slice(1)]), results)).toBeNull();
  });

  test('accepts cache marks, except on thinking', () => {
    const mark = { cache_control: { type: 'ephemeral' } };
    const marked = (block: string) => edit(block, (value) => ({ ...value, ...mark }));
    expect(verify(assistant(replace(text, marked(text))), results)).toBeNull();
    expect(verify(assistant(replace(thinking, marked(thinking))), results)).toBe(
      'messages.1.content.0.thinking.cache_control: Extra inputs are not permitted',
    );
  });

  test('accepts text behind the results', () => {
    expect(verify(assistant(answer), user(auroraResult, cloudsResult, { type: 'text', text: 'Go on' }))).toBeNull();
  });

  test.each([
    ['the calls only', [aurora, clouds], `messages.1.content.0.type: ${mustStartWithThinking} \`tool_use\``],
    ['all but the thinking', [text, aurora, clouds], `messages.1.content.0.type: ${mustStartWithThinking} \`text\``],
    [
      'all but a later thinking',
      without(laterThinking),
      'messages.1.content.2: Invalid `data` in `redacted_thinking`',
      missingThinking,
    ],
    ['all but the redacted thinking', without(redacted), `messages.1.content.4: ${bound}`, missingThinking],
    ['all but the first thinking', without(thinking), `messages.1.content.0.type: ${mustStartWithThinking} \`text\``],
    ['all but the text', without(text), `messages.1.content.1: ${bound}`, 'starting at `messages.1.content.1`'],
    ['all but the last thinking', without(lastThinking), 'messages.1.content.5: Expected the `thinking` block'],
    ['nothing', [], 'messages.1: all messages must have non-empty content'],
  ])('refuses an answer of which came back: %s', (_, blocks, ...parts) => {
    const refusal = verify(assistant(blocks), results);
    for (const part of parts) expect(refusal).toContain(part);
  });

  test('refuses a call that was dropped while its result came', () => {
    expect(verify(assistant(without(clouds)), results)).toBe(
      'messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: toolu_demo_clouds. ' +
        'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
    );
  });

  test('refuses a call that was dropped together with its result', () => {
    expect(verify(assistant(without(clouds)), user(auroraResult))).toBe(
      'messages.1.content.6: Expected the `tool_use` block of the original response, unchanged and in its place',
    );
  });

  test.each(['thinking', 'text', 'input'] as const)('refuses one byte more of %s', (field) => {
    const { block, refusal } = {
      thinking: { block: laterThinking, refusal: `messages.1.content.2: ${cannotBeModified}` },
      text: { block: text, refusal: `messages.1.content.2: ${bound}` },
      input: { block: aurora, refusal: `messages.1.content.5: ${bound}` },
    }[field];
    const edited =
      field === 'input'
        ? block.replace('"tonight', '" tonight')
        : edit(block, (value) => ({ ...value, [field]: `${value[field]} ` }));
    expect(verify(assistant(replace(block, edited)), results)).toContain(refusal);
  });

  test('refuses a tool input that means the same and is spelt otherwise', () => {
    expect(verify(assistant(replace(aurora, aurora.replace('3.0', '3'))), results)).toContain(bound);
    expect(verify(assistant(replace(clouds, clouds.replace('1.0', '1'))), results)).toBe(
      'messages.1.content.6: Expected the `tool_use` block of the original response, unchanged and in its place',
    );
  });

  test('refuses a signature that was changed, emptied or removed', () => {
    const signed = (change: (value: Block) => Block) =>
      verify(assistant(replace(thinking, edit(thinking, change))), results);
    const invalid = 'messages.1.content.0: Invalid `signature` in `thinking` block';
    expect(signed((value) => ({ ...value, signature: `A${String(value['signature']).slice(1)}` }))).toBe(invalid);
    expect(signed((value) => ({ ...value, signature: '' }))).toBe(invalid);
    expect(signed(({ signature, ...rest }) => rest)).toBe('messages.1.content.0.thinking.signature: Field required');
  });

  test('refuses redacted thinking that was changed', () => {
    const changed = edit(redacted, () => ({ type: 'redacted_thinking', data: 'AAAA' }));
    expect(verify(assistant(replace(redacted, changed)), results)).toBe(
      'messages.1.content.3: Invalid `data` in `redacted_thinking` block',
    );
  });

  test('refuses a field that the client added', () => {
    const numbered = edit(clouds, (value) => ({ ...value, index: 6 }));
    expect(verify(assistant(replace(clouds, numbered)), results)).toBe(
      'messages.1.content.6.tool_use.index: Extra inputs are not permitted',
    );
  });

  test.each([
    [
      'thinking first',
      [thinking, laterThinking, redacted, lastThinking, text, aurora, clouds],
      'messages.1.content.1',
      bound,
    ],
    [
      'calls last',
      [thinking, text, laterThinking, redacted, lastThinking, aurora, clouds],
      'messages.1.content.4',
      bound,
    ],
    ['calls swapped', replace(aurora, clouds).with(6, aurora), 'messages.1.content.5', bound],
    ['a thinking block twice', [thinking, ...answer], 'messages.1.content.1', bound],
    ['a call in front', [aurora, ...without(aurora)], 'messages.1.content.0.type', mustStartWithThinking],
  ])('refuses blocks that were moved: %s', (_, blocks, path, reason) => {
    const refusal = verify(assistant(blocks), results);
    expect(refusal).toContain(`${path}: `);
    expect(refusal).toContain(reason);
  });

  test('refuses every swap, every gap and every repetition', () => {
    const places = [...answer.keys()];
    const gaps = places.map((place) => answer.toSpliced(place, 1));
    const repetitions = places.map((place) => answer.toSpliced(place, 0, answer[place] ?? ''));
    const swaps = places.flatMap((one) =>
      places.slice(0, one).map((other) => answer.with(one, answer[other] ?? '').with(other, answer[one] ?? '')),
    );
    for (const blocks of [...gaps, ...repetitions, ...swaps]) expect(verify(assistant(blocks), results)).not.toBeNull();
    expect(swaps).toHaveLength(21);
  });

  test('refuses an answer that was split over two messages', () => {
    const refusal = verify(assistant(answer.slice(0, 5)), assistant(answer.slice(5)), results);
    expect(refusal).toContain('messages.2.content.0: Invalid `signature` in `thinking` block');
  });

  test.each([
    ['missing', [user({ type: 'text', text: 'Well?' })], 'toolu_demo_aurora, toolu_demo_clouds'],
    ['partly missing', [user(auroraResult)], 'toolu_demo_clouds'],
    ['split over two messages', [user(auroraResult), user(cloudsResult)], 'toolu_demo_clouds'],
    [
      'behind a text',
      [user({ type: 'text', text: 'Here:' }, auroraResult, cloudsResult)],
      'toolu_demo_aurora, toolu_demo_clouds',
    ],
    ['not sent at all', [], 'toolu_demo_aurora, toolu_demo_clouds'],
  ])('refuses results that are %s', (_, messages, ids) => {
    expect(verify(assistant(answer), ...messages)).toBe(
      `messages.1: ${unanswered} ${ids}. ` +
        'Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    );
  });

  test('refuses a result without a call', () => {
    expect(verify(assistant(answer), user(auroraResult, cloudsResult, result('toolu_other')))).toBe(
      'messages.2.content.2: unexpected `tool_use_id` found in `tool_result` blocks: toolu_other. ' +
        'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
    );
  });

  test('refuses a second result for one call', () => {
    expect(verify(assistant(answer), user(auroraResult, cloudsResult, auroraResult))).toBe(
      'messages.2.content.2: each tool_use must have a single result. ' +
        'Found multiple `tool_result` blocks with id: toolu_demo_aurora',
    );
  });

  test('refuses thinking that it never gave', () => {
    expect(refusalOf([question(), assistant(answer), results], [])).toBe(
      'messages.1.content.0: Invalid `signature` in `thinking` block',
    );
  });

  test('accepts an assistant message without thinking that it never gave', () => {
    const small = assistant([JSON.stringify({ type: 'text', text: 'Hello' })]);
    expect(refusalOf([question(), small, user({ type: 'text', text: 'And?' })], [])).toBeNull();
  });

  test('refuses a history that ends with an answer', () => {
    expect(refusalOf([question(), assistant([text])], [[blockOf(text, 0)]])).toContain(
      'does not support assistant message prefill',
    );
  });

  test('says of an older answer that its signature is invalid', () => {
    const edited = edit(thinking, (value) => ({ ...value, thinking: 'Nothing decides this.' }));
    const last = script[1]?.blocks.map(sourceOf) ?? [];
    const messages = [
      question(),
      assistant(replace(thinking, edited)),
      results,
      assistant(last),
      user({ type: 'text', text: 'Ok' }),
    ];
    expect(refusalOf(messages, sent)).toBe('messages.1.content.0: Invalid `signature` in `thinking` block');
  });
});

/** The refusal's sentence for a history of the question and these messages. */
function verify(...messages: readonly string[]): string | null {
  return refusalOf([question(), ...messages], sent);
}

function refusalOf(messages: readonly string[], answers: readonly SentAnswer[]): string | null {
  const read = readMessages(messages);
  return service.verify(read, answers)?.message ?? null;
}

function question(): string {
  return JSON.stringify({ role: 'user', content: 'Northern lights?' });
}

function assistant(blocks: readonly string[]): string {
  return `{"role":"assistant","content":[${blocks.join(',')}]}`;
}

function user(...content: readonly Block[]): string {
  return JSON.stringify({ role: 'user', content });
}

function result(id: string): Block {
  return { type: 'tool_result', tool_use_id: id, content: '{}' };
}

function without(block: string): string[] {
  return answer.filter((candidate) => candidate !== block);
}

function replace(block: string, other: string): string[] {
  return answer.map((candidate) => (candidate === block ? other : candidate));
}

function edit(block: string, change: (value: Block) => Block): string {
  const value: Block = JSON.parse(block);
  return JSON.stringify(change(value));
}
