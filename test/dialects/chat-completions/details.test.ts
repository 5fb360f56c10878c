import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { ChatCompletionsOptions } from '../../../src/dialects/chat-completions/chat-completions.ts';
import { type Assembled, assemble, blocks, call, chunks, message, shown } from './wire-chunks.ts';

/** Assembles chunks that hold these details, then a content, so that there is a message to hold them. */
function assembleDetails(
  deltas: readonly (readonly unknown[])[],
  options: Partial<ChatCompletionsOptions> = {},
): Promise<Assembled> {
  const content = { content: 'Answer.' };
  return assemble(chunks([...deltas.map((details) => ({ reasoning_details: details })), content]), options);
}

/** The details that go back. */
function details(assembled: Assembled): unknown {
  return message(assembled)?.['reasoning_details'];
}

const text = (piece: string, members: JsonObject = {}): JsonObject => ({
  type: 'reasoning.text',
  text: piece,
  format: 'unknown',
  index: 0,
  ...members,
});
const claude = (piece: string, members: JsonObject = {}): JsonObject =>
  text(piece, { format: 'anthropic-claude-v1', ...members });
const signature = (value: string, members: JsonObject = {}): JsonObject => ({
  type: 'reasoning.text',
  signature: value,
  format: 'anthropic-claude-v1',
  index: 0,
  ...members,
});
const summary = (piece: string, members: JsonObject = {}): JsonObject => ({
  type: 'reasoning.summary',
  summary: piece,
  format: 'openai-responses-v1',
  index: 0,
  ...members,
});
const encrypted = (data: string | null, members: JsonObject = {}): JsonObject => ({
  type: 'reasoning.encrypted',
  data,
  format: 'openai-responses-v1',
  index: 0,
  ...members,
});

describe('reasoning_details, what is no detail (step 1)', () => {
  test.each([['a string'], [7], [null], [['list']]])('skips %j and says so', async (odd) => {
    const assembled = await assembleDetails([[text('a'), odd, text('b')]]);
    expect(details(assembled)).toEqual([text('ab')]);
    expect(assembled.turn.warnings.map(({ code }) => code)).toEqual(['malformed_event']);
  });

  test('keeps an empty array and no array apart', async () => {
    expect(message(await assembleDetails([[]]))).toHaveProperty('reasoning_details', []);
    expect(message(await assembleDetails([]))).not.toHaveProperty('reasoning_details');
  });

  test('ignores a field that is no array', async () => {
    const assembled = await assemble(chunks([{ reasoning_details: null }, { content: 'Answer.' }]));
    expect(message(assembled)).not.toHaveProperty('reasoning_details');
  });

  test('infers a missing type for merging and display, and does not write it', async () => {
    const assembled = await assembleDetails([
      [{ text: 'Rye ' }],
      [{ text: 'first.' }],
      [{ summary: 'S' }],
      [{ data: 'D' }],
    ]);
    expect(details(assembled)).toEqual([{ text: 'Rye first.' }, { summary: 'S' }, { data: 'D' }]);
    expect(shown(assembled, 'reasoning_delta')).toEqual(['Rye ', 'first.', 'S']);
  });
});

describe('reasoning_details, the merge key (step 2)', () => {
  test.each([
    ['index', { index: 0 }, { index: 1 }],
    ['id', { id: 'a' }, { id: 'b' }],
    ['format', { format: 'unknown' }, { format: 'anthropic-claude-v1', signature: 's' }],
  ])('keeps texts of different %s apart', async (_name, first, second) => {
    const fragments = [text('one', first), text('two', second)];
    expect(details(await assembleDetails(fragments.map((fragment) => [fragment])))).toEqual(fragments);
  });

  test.each(['index', 'id', 'format'])('joins texts when one has null or no %s', async (name) => {
    const whole = text('a', { id: 'r', index: 0 });
    const { [name]: _absent, ...without } = text('c', { id: 'r', index: 0 });
    const assembled = await assembleDetails([[whole], [text('b', { id: 'r', index: 0, [name]: null })], [without]]);
    expect(details(assembled)).toEqual([{ ...whole, text: 'abc' }]);
  });

  test('keeps the first value of id, format and index, and fills in what was missing', async () => {
    const bare = { type: 'reasoning.text', text: 'a', id: null, index: 3 };
    const assembled = await assembleDetails([
      [bare],
      [text('b', { id: 'r1', index: 3 })],
      [text('c', { id: null, index: 3 })],
    ]);
    expect(details(assembled)).toEqual([text('abc', { id: 'r1', index: 3 })]);
  });

  test('keeps text and summary of one index apart', async () => {
    const assembled = await assembleDetails([[text('t')], [summary('s', { format: 'unknown' })], [text('T')]]);
    expect(details(assembled)).toEqual([text('tT'), summary('s', { format: 'unknown' })]);
  });

  test('joins fragments without index and id only when they are neighbours', async () => {
    const bare = (piece: string): JsonObject => ({ type: 'reasoning.text', text: piece });
    const between = { type: 'reasoning.summary', summary: 's' };
    const assembled = await assembleDetails([[bare('a')], [bare('b')], [between], [bare('c')]]);
    expect(details(assembled)).toEqual([bare('ab'), between, bare('c')]);
  });

  test('keeps unknown members, the last one that says something, and never joins them', async () => {
    const assembled = await assembleDetails([
      [text('a', { tone: 'x' })],
      [text('b', { tone: null })],
      [text('c', { tone: 'y' })],
    ]);
    expect(details(assembled)).toEqual([text('abc', { tone: 'y' })]);
  });

  test('appends byte for byte: blanks, line ends and halves of a pair', async () => {
    const pieces = [' ', '\ud83d', '\ude00', '', '\n'];
    const assembled = await assembleDetails(pieces.map((piece) => [text(piece)]));
    expect(details(assembled)).toEqual([text(' 😀\n')]);
  });
});

describe('reasoning_details, whole objects (step 3)', () => {
  test('keeps ciphertexts of one index apart', async () => {
    const list = [encrypted('one'), encrypted('two'), encrypted('three', { id: 'rs_1' })];
    expect(details(await assembleDetails(list.map((detail) => [detail])))).toEqual(list);
  });

  test('drops a retransmission', async () => {
    const list = [encrypted('one', { id: 'rs_1' }), encrypted('two')];
    expect(details(await assembleDetails([list, list]))).toEqual(list);
  });

  test('drops a retransmission whose members stand in another order', async () => {
    const { type, data, ...rest } = encrypted('one', { id: 'rs_1' });
    const assembled = await assembleDetails([
      [encrypted('one', { id: 'rs_1' }), encrypted('two')],
      [{ ...rest, data, type }],
    ]);
    expect(details(assembled)).toEqual([encrypted('one', { id: 'rs_1' }), encrypted('two')]);
  });

  test('lets a later ciphertext of the same item take the place of the earlier, at the end', async () => {
    const assembled = await assembleDetails([
      [encrypted('stub', { id: 'rs_1' })],
      [summary('s')],
      [encrypted('final', { id: 'rs_1' })],
    ]);
    expect(details(assembled)).toEqual([summary('s'), encrypted('final', { id: 'rs_1' })]);
  });

  test.each([{ index: 1 }, { format: 'azure-openai-responses-v1' }, { id: 'rs_2' }, { id: null }])(
    'keeps a ciphertext beside one that differs in %j',
    async (difference) => {
      const list = [encrypted('one', { id: 'rs_1' }), encrypted('two', { id: 'rs_1', ...difference })];
      expect(details(await assembleDetails(list.map((detail) => [detail])))).toEqual(list);
    },
  );

  test('keeps an object of an unknown type whole, also beside one like it', async () => {
    const list = [
      { type: 'reasoning.server_tool_call', tool_name: 'web_search', arguments: '{"q":1}', result: 'r', index: 0 },
      { type: 'reasoning.server_tool_call', tool_name: 'web_search', arguments: '{"q":2}', result: 'r', index: 0 },
      { type: 'reasoning.other', text: 'not shown', index: 0 },
    ];
    const assembled = await assembleDetails([...list.map((detail) => [detail]), [{ ...list[0] }]]);
    expect(details(assembled)).toEqual(list);
    expect(shown(assembled, 'reasoning_delta')).toEqual([]);
  });

  test.each([undefined, null])('does not send a ciphertext whose data is %j', async (data) => {
    // The gateway refuses it: "expected string, received undefined" at reasoning_details.N.data.
    const empty = { ...encrypted(''), data };
    expect(details(await assembleDetails([[empty, summary('s')]]))).toEqual([summary('s')]);
  });

  test('begins a new text after a whole object', async () => {
    const assembled = await assembleDetails([
      [text('a')],
      [encrypted('E', { format: 'unknown' })],
      [text('b')],
      [text('c')],
    ]);
    expect(details(assembled)).toEqual([text('a'), encrypted('E', { format: 'unknown' }), text('bc')]);
  });
});

describe('reasoning_details, signatures (step 4)', () => {
  test.each([{}, { text: '' }, { text: null }])('attaches a signature that comes with %j', async (empty) => {
    const assembled = await assembleDetails([[claude('Think.')], [signature('SIG', empty)]]);
    expect(details(assembled)).toEqual([claude('Think.', { signature: 'SIG' })]);
  });

  test('attaches it backwards, whatever came in between', async () => {
    const assembled = await assemble(
      chunks([
        { reasoning_details: [claude('Think.')] },
        { content: 'Answer.' },
        call({ index: 0, id: 'c', type: 'function' }, { name: 'f', arguments: '{}' }),
        { reasoning_details: [encrypted('E', { format: 'anthropic-claude-v1', index: 1 })] },
        { reasoning_details: [signature('SIG')] },
      ]),
    );
    expect(details(assembled)).toEqual([
      claude('Think.', { signature: 'SIG' }),
      encrypted('E', { format: 'anthropic-claude-v1', index: 1 }),
    ]);
    expect(blocks(assembled)).toEqual(['reasoning finished Think.', 'text finished Answer.', 'tool_call finished {}']);
  });

  test('ignores the same signature again', async () => {
    const assembled = await assembleDetails([[claude('Think.')], [signature('SIG')], [signature('SIG')]]);
    expect(details(assembled)).toEqual([claude('Think.', { signature: 'SIG' })]);
  });

  test('begins an entry of its own for another signature', async () => {
    const assembled = await assembleDetails([[claude('Think.')], [signature('SIG')], [signature('OTHER')]]);
    expect(details(assembled)).toEqual([claude('Think.', { signature: 'SIG' }), signature('OTHER')]);
  });

  test('passes a text of another index over', async () => {
    const assembled = await assembleDetails([
      [claude('One.')],
      [claude('Two.', { index: 1 })],
      [signature('S1', { index: 1 })],
      [signature('S0')],
    ]);
    expect(details(assembled)).toEqual([
      claude('One.', { signature: 'S0' }),
      claude('Two.', { index: 1, signature: 'S1' }),
    ]);
  });

  test.each([{}, { text: '' }])('keeps one without a text to belong to as it came, with %j', async (empty) => {
    const alone = signature('SIG', empty);
    expect(details(await assembleDetails([[alone]]))).toEqual([alone]);
  });

  test('never overwrites one with an empty or missing one', async () => {
    const assembled = await assembleDetails([
      [claude('Think.', { signature: '' })],
      [signature('SIG')],
      [{ ...signature(''), text: '' }],
      [{ ...signature(''), signature: null }],
    ]);
    expect(details(assembled)).toEqual([claude('Think.', { signature: 'SIG' })]);
  });
});

describe('reasoning_details, texts (step 5)', () => {
  test('begins a new text of the same index once the one before is signed', async () => {
    const assembled = await assembleDetails([
      [claude('One')],
      [claude('.', { signature: 'S1' })],
      [claude('Two.')],
      [signature('S2')],
    ]);
    expect(details(assembled)).toEqual([claude('One.', { signature: 'S1' }), claude('Two.', { signature: 'S2' })]);
  });

  test('goes on with an earlier text of the same index', async () => {
    const assembled = await assembleDetails([[text('a')], [text('x', { index: 1 })], [text('b')]]);
    expect(details(assembled)).toEqual([text('ab'), text('x', { index: 1 })]);
  });

  test('joins the pieces of one delta', async () => {
    const assembled = await assembleDetails([[text('a'), text('b'), summary('s', { format: 'unknown' }), text('c')]]);
    expect(details(assembled)).toEqual([text('abc'), summary('s', { format: 'unknown' })]);
    expect(shown(assembled, 'reasoning_delta')).toEqual(['a', 'b', 's', 'c']);
  });
});

describe('reasoning_details, the end (step 6)', () => {
  test('drops openers and keep-alives that never got anything', async () => {
    const assembled = await assembleDetails([
      [claude('', { signature: '' })],
      [summary('', { index: 1 })],
      [text('t', { index: 2 })],
    ]);
    expect(details(assembled)).toEqual([text('t', { index: 2 })]);
  });

  test('keeps a signed text of "" with its explicit empty text', async () => {
    const assembled = await assembleDetails([[claude('', { signature: '' })], [signature('SIG', { text: '' })]]);
    expect(details(assembled)).toEqual([claude('', { signature: 'SIG' })]);
    expect(blocks(assembled)).toEqual(['text finished Answer.']);
  });

  test('keeps the order of arrival, whatever the indexes say', async () => {
    const list = [text('c', { index: 7 }), text('a', { index: 2 }), encrypted('b', { index: 0 })];
    expect(details(await assembleDetails(list.map((detail) => [detail])))).toEqual(list);
  });
});

describe('reasoning_details, what is shown', () => {
  test('shows the details and not the field that mirrors them, in one delta', async () => {
    const assembled = await assemble(
      chunks([{ reasoning: 'ab', reasoning_content: 'ab', reasoning_details: [text('ab')] }]),
    );
    expect(shown(assembled, 'reasoning_delta')).toEqual(['ab']);
  });

  test('shows the field when no detail of the delta can be shown', async () => {
    const assembled = await assemble(
      chunks([{ reasoning: 'plain', reasoning_details: [encrypted('E')] }, { content: 'A' }]),
    );
    expect(shown(assembled, 'reasoning_delta')).toEqual(['plain']);
    expect(message(assembled)).toEqual({
      role: 'assistant',
      content: 'A',
      reasoning: 'plain',
      reasoning_details: [encrypted('E')],
    });
  });

  test('shows the first field that says something, and sends each back', async () => {
    const assembled = await assemble(
      chunks([{ reasoning: '', reasoning_content: 'b', reasoning_text: 'c' }, { content: 'A' }]),
    );
    expect(shown(assembled, 'reasoning_delta')).toEqual(['b']);
    expect(message(assembled)).toMatchObject({ reasoning: '', reasoning_content: 'b', reasoning_text: 'c' });
  });

  test('never shows ciphertext, a signature or an opaque string', async () => {
    const assembled = await assemble(
      chunks([
        { reasoning_opaque: 'secret-1', reasoning_details: [encrypted('secret-2'), signature('secret-3')] },
        call({ index: 0, id: 'c', extra_content: { google: { thought_signature: 'secret-4' } } }, { name: 'f' }),
      ]),
    );
    expect(JSON.stringify(assembled.ui)).not.toMatch(/secret/);
    expect(JSON.stringify(message(assembled)).match(/secret-\d/g)).toHaveLength(4);
  });
});

describe('reasoning_details, unsigned thinking of Claude (D20)', () => {
  test('leaves it out with all that mirrors it, and keeps what is signed', async () => {
    const assembled = await assemble(
      chunks([
        { reasoning: 'One.', reasoning_details: [claude('One.')] },
        { reasoning_details: [signature('S')] },
        { content: 'A' },
        { reasoning: 'Two.', reasoning_content: 'Two.', reasoning_details: [claude('Two.', { index: 1 })] },
        { content: 'B' },
      ]),
    );
    expect(blocks(assembled)).toEqual([
      'reasoning finished One.',
      'text finished A',
      'reasoning unsigned Two.',
      'text finished B',
    ]);
    expect(message(assembled)).toEqual({
      role: 'assistant',
      content: 'AB',
      reasoning_details: [claude('One.', { signature: 'S' })],
    });
    expect(assembled.turn.repairs.map(({ code, index }) => ({ code, index }))).toEqual([
      { code: 'unsigned', index: 2 },
    ]);
  });

  test.each(['unknown', 'google-gemini-v1', null])('keeps unsigned text of format %j', async (format) => {
    const assembled = await assembleDetails([[text('t', { format })]]);
    expect(details(assembled)).toEqual([text('t', { format })]);
    expect(blocks(assembled)).toEqual(['reasoning finished t', 'text finished Answer.']);
  });

  test('gives no entry when nothing but unsigned thinking came', async () => {
    const assembled = await assemble(chunks([{ reasoning_details: [claude('t')] }]));
    expect(assembled.turn.entries).toEqual([]);
    expect(assembled.turn.repairs.map(({ code }) => code)).toEqual(['unsigned']);
  });
});

describe('reasoning_details, cut reasoning', () => {
  test('leaves a cut text out and keeps a finished one before it', async () => {
    const assembled = await assemble(
      chunks(
        [
          { reasoning_details: [claude('One.', { signature: 'S' })] },
          { content: 'A' },
          { reasoning_details: [claude('Tw', { index: 1 })] },
        ],
        'length',
      ),
    );
    expect(blocks(assembled)).toEqual(['reasoning finished One.', 'text finished A', 'reasoning cut Tw']);
    expect(details(assembled)).toEqual([claude('One.', { signature: 'S' })]);
  });

  test('takes the ciphertext of a cut call along, and no other', async () => {
    const assembled = await assemble(
      chunks(
        [
          { content: 'A', reasoning_details: [encrypted('one', { id: 'c1' }), encrypted('two', { id: 'rs_9' })] },
          call({ index: 0, id: 'c1', type: 'function' }, { name: 'f', arguments: '{' }),
        ],
        'length',
      ),
    );
    expect(message(assembled)).toEqual({
      role: 'assistant',
      content: 'A',
      reasoning_details: [encrypted('two', { id: 'rs_9' })],
    });
  });
});

describe('cumulativeReasoning', () => {
  const fragments = [[text('a')], [text('a an')], [text('a and')]];

  test('shows what is new and keeps the last state', async () => {
    const assembled = await assembleDetails(fragments, { cumulativeReasoning: true });
    expect(details(assembled)).toEqual([text('a and')]);
    expect(shown(assembled, 'reasoning_delta')).toEqual(['a', ' an', 'd']);
  });

  test('appends without being asked, for a guess would damage "a", "an"', async () => {
    expect(details(await assembleDetails(fragments))).toEqual([text('aa ana and')]);
  });

  test.each(['reasoning', 'reasoning_content', 'reasoning_text'])('holds for %s too', async (name) => {
    const deltas = ['Ra', 'Rain', 'Rain?'].map((piece) => ({ [name]: piece }));
    const assembled = await assemble(chunks([...deltas, { content: 'No.' }]), { cumulativeReasoning: true });
    expect(message(assembled)?.[name]).toBe('Rain?');
    expect(shown(assembled, 'reasoning_delta')).toEqual(['Ra', 'in', '?']);
  });
});
