import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { assemble, blocks, call, chunk, chunks, parts, repairs, story, toolCalls, warnings } from './wire-chunks.ts';

describe('text', () => {
  test('of one kind is one part and one block, in as many pieces as came', async () => {
    const assembled = await assemble(
      chunks([{ text: 'Hm.', thought: true }, { text: ' Well.', thought: true }, { text: 'Low' }, { text: ' tide.' }]),
    );
    expect(parts(assembled)).toEqual([{ text: 'Hm. Well.', thought: true }, { text: 'Low tide.' }]);
    expect(story(assembled)).toEqual([
      'turn_start',
      'block_start 0 reasoning',
      'reasoning_delta 0 Hm.',
      'reasoning_delta 0  Well.',
      'block_stop 0 finished',
      'block_start 1 text',
      'text_delta 1 Low',
      'text_delta 1  tide.',
      'block_stop 1 finished',
      'turn_stop',
    ]);
  });

  test('goes back with its members in the order of the first piece', async () => {
    const assembled = await assemble(
      chunks([{ thought: true, text: 'a' }, { text: 'b', thought: true }, { text: 'c' }]),
    );
    expect(JSON.stringify(parts(assembled))).toBe('[{"thought":true,"text":"ab"},{"text":"c"}]');
  });

  test('joins what says that it is no thought, or nothing in other words', async () => {
    const written = { text: 'b', thought: false, thoughtSignature: '', functionCall: null, inlineData: undefined };
    const assembled = await assemble(chunks([{ text: 'a' }, written, { text: 'c' }]));
    expect(JSON.stringify(parts(assembled))).toBe('[{"text":"abc"}]');
  });

  test.each<[string, JsonObject]>([
    ['an empty text', { text: '' }],
    ['an empty thought', { text: '', thought: true }],
    ['a part without members', {}],
    ['a part of nulls', { text: null, functionCall: null }],
  ])('is not separated by %s, which makes nothing', async (_what, empty) => {
    const assembled = await assemble(chunks([empty, { text: 'a' }, empty, { text: 'b' }, empty]));
    expect(blocks(assembled)).toEqual(['text finished ab']);
    expect(parts(assembled)).toEqual([{ text: 'ab' }]);
  });

  // gemini-cli#25808, claude-tap#339: merged signed parts are a corrupted signature.
  test('with a signature joins nothing, and stops at once', async () => {
    const assembled = await assemble(
      chunks([{ text: 'a' }, { text: 'b', thoughtSignature: 'c2ln' }, { text: 'c' }, { text: 'd' }]),
    );
    expect(parts(assembled)).toEqual([{ text: 'a' }, { text: 'b', thoughtSignature: 'c2ln' }, { text: 'cd' }]);
    expect(story(assembled).slice(3, 8)).toEqual([
      'block_stop 0 finished',
      'block_start 1 text',
      'text_delta 1 b',
      'block_stop 1 finished',
      'block_start 2 text',
    ]);
  });

  test('with two signatures in a row stays two parts', async () => {
    const signed = [
      { text: 'a', thoughtSignature: 'b25l' },
      { text: 'b', thoughtSignature: 'b25l' },
    ];
    expect(parts(await assemble(chunks(signed)))).toEqual(signed);
  });

  test('is text beside other members that are null', async () => {
    const told = { inlineData: null, functionCall: null, text: 'a', thoughtSignature: 'c2ln' };
    const assembled = await assemble(chunks([told]));
    expect(blocks(assembled)).toEqual(['text finished a']);
    expect(parts(assembled)).toEqual([told]);
  });

  test('with any other member is a part of its own', async () => {
    const told = [{ text: 'a' }, { text: 'b', partMetadata: { lane: 2 } }, { text: 'c' }];
    expect(parts(await assemble(chunks(told)))).toEqual(told);
  });

  // vercel/ai#12402: the signature of the whole answer sits on an empty text at its end.
  test('that is empty and signed is a part, without a delta', async () => {
    const assembled = await assemble(chunks([{ text: 'a' }, { text: '', thoughtSignature: 'dGFpbA==' }]));
    expect(parts(assembled)).toEqual([{ text: 'a' }, { text: '', thoughtSignature: 'dGFpbA==' }]);
    expect(story(assembled).slice(3)).toEqual([
      'block_stop 0 finished',
      'block_start 1 text',
      'block_stop 1 finished',
      'turn_stop',
    ]);
  });

  // langchainjs#9624: signatures that are listed apart from their parts do not fit them.
  test('keeps each signature in its part when some are empty', async () => {
    const assembled = await assemble(
      chunks([
        call({ name: 'f', args: {} }, { thoughtSignature: 'c2ln' }),
        call({ name: 'g', args: {} }, { thoughtSignature: '' }),
      ]),
    );
    expect(parts(assembled).map(({ thoughtSignature }) => thoughtSignature)).toEqual(['c2ln', '']);
  });
});

describe('other parts', () => {
  test.each<[string, JsonObject, string]>([
    ['executableCode', { language: 'PYTHON', code: 'print(1)' }, 'server_tool_call'],
    ['toolCall', { toolType: 'GOOGLE_SEARCH_WEB', args: { q: 'eider' }, id: 't1' }, 'server_tool_call'],
    ['codeExecutionResult', { outcome: 'OUTCOME_OK', output: '1' }, 'server_tool_result'],
    ['toolResponse', { toolType: 'GOOGLE_SEARCH_WEB', response: { hits: 2 }, id: 't1' }, 'server_tool_result'],
    ['functionResponse', { name: 'f', response: { ok: true } }, 'server_tool_result'],
    ['inlineData', { mimeType: 'image/png', data: 'aW1hZ2U=' }, 'media'],
    ['fileData', { mimeType: 'image/png', fileUri: 'https://example.test/a.png' }, 'media'],
    ['hologram', { depth: 3 }, 'other'],
  ])('with %s are shown whole, without the signature, and go back as they are', async (member, value, kind) => {
    const part = { [member]: value, thoughtSignature: 'c2VjcmV0' };
    const assembled = await assemble(chunks([part, { text: 'Done.' }]));
    expect(assembled.turn.blocks.map((block) => [block.kind, block.state])).toEqual([
      [kind, 'finished'],
      ['text', 'finished'],
    ]);
    expect(story(assembled)).toContain(`block_content 0 ${JSON.stringify({ [member]: value })}`);
    expect(parts(assembled)).toEqual([part, { text: 'Done.' }]);
  });

  test.each<[JsonObject, string | undefined]>([
    [{ executableCode: {} }, 'code_execution'],
    [{ toolCall: { toolType: 'URL_CONTEXT', toolName: 'b' } }, 'URL_CONTEXT'],
    [{ toolCall: { toolType: 7, toolName: 'b' } }, 'b'],
    [{ toolCall: { name: 'c' } }, 'c'],
    [{ toolCall: {} }, undefined],
  ])('that call a tool of the server name it: %j', async (part, name) => {
    const { turn } = await assemble(chunks([part]));
    expect([turn.blocks[0]?.name, turn.blocks[0]?.id, turn.toolCalls]).toEqual([name, undefined, []]);
  });

  // bifrost#7342: a signature is independent of what its part is.
  test('keep a signature on an image, and on a part with nothing else', async () => {
    const told = [
      { inlineData: { mimeType: 'image/png', data: 'aW1hZ2U=' }, thoughtSignature: 'b25l' },
      { thoughtSignature: 'dHdv' },
    ];
    const assembled = await assemble(chunks(told));
    expect(parts(assembled)).toEqual(told);
    expect(assembled.turn.blocks.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'media finished',
      'other finished',
    ]);
    expect(story(assembled)).toContain('block_content 1 {}');
  });

  test('keep their numbers and blanks as text when they go back', async () => {
    const part = '{"toolResponse": {"response": {"at": 1.50, "7": 1, "id": 12345678901234567890}}}';
    const body = `data: {"candidates":[{"content":{"parts":[{"text":"a"}, ${part} ]},"finishReason":"STOP"}]}\r\n\r\n`;
    const { stringifyRequest } = await import('../../../src/index.ts');
    expect(stringifyRequest((await assemble(body)).turn.entries)).toContain(part);
  });

  test('that are no objects are ignored, with a warning', async () => {
    const assembled = await assemble(chunks(['a', { text: 'b' }, 7, null, ['c']]));
    expect(blocks(assembled)).toEqual(['text finished b']);
    expect(warnings(assembled)).toEqual(['malformed_event']);
  });
});

describe('the end of a part', () => {
  const thought = { text: 'Hm.', thought: true };
  const code = { executableCode: { code: '1' } };
  const signedThought = { text: 'Hm.', thought: true, thoughtSignature: 'c2ln' };
  const tide = call({ name: 'tide', args: { port: 'Eider' } });

  test.each<[string, JsonObject, string]>([
    ['a text', { text: 'Low' }, 'cut'],
    ['a thought', thought, 'cut'],
    ['a signed thought', signedThought, 'cut'],
    ['a call', tide, 'cut'],
    ['a call of the server', code, 'cut'],
    ['a signed text', { text: 'Low', thoughtSignature: 'c2ln' }, 'finished'],
    ['an image', { inlineData: { mimeType: 'image/png', data: '' } }, 'finished'],
  ])('of a truncated turn is open for %s', async (_what, part, state) => {
    const assembled = await assemble([chunk([{ text: '1' }, part])]);
    const last = assembled.turn.blocks.at(-1);
    expect([assembled.turn.status, last?.state]).toEqual(['truncated', state]);
    expect([assembled.turn.entries, assembled.turn.toolCalls]).toEqual([[], []]);
  });

  test('of earlier parts is sure in a turn that fails', async () => {
    const error = { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } };
    const { turn } = await assemble([chunk([thought, code, tide, tide]), error]);
    expect(turn.blocks.map(({ state }) => state)).toEqual(['finished', 'finished', 'finished', 'cut']);
    expect(turn.toolCalls).toEqual([]);
    expect(turn.blocks[2]?.toolCall?.name).toBe('tide');
  });

  test.each(['MAX_TOKENS', 'SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'IMAGE_SAFETY'])(
    'is cut by %s in a call or reasoning, not in a text',
    async (reason) => {
      const of = async (part: JsonObject): Promise<unknown[]> => {
        const assembled = await assemble(chunks([{ text: '1' }, part], reason));
        return [
          assembled.turn.status,
          assembled.turn.blocks.at(-1)?.state,
          repairs(assembled),
          parts(assembled).length,
        ];
      };
      for (const part of [tide, code, thought, signedThought]) {
        expect(await of(part)).toEqual(['complete', 'cut', ['cut 1'], 1]);
      }
      expect(await of({ text: '2' })).toEqual(['complete', 'finished', [], 1]);
      expect(await of({ text: '2', thoughtSignature: 'c2ln' })).toEqual(['complete', 'finished', [], 2]);
    },
  );

  test.each(['STOP', 'MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'OTHER', 'A_REASON_TO_COME'])(
    'is not cut by %s',
    async (reason) => {
      const assembled = await assemble(chunks([{ text: '1' }, tide], reason));
      expect(assembled.turn.stopReason).toBe(reason);
      expect(toolCalls(assembled)).toEqual(['call_resp1_1 tide {"port":"Eider"}']);
    },
  );
});

describe('what goes back', () => {
  test('is one content of the role that came, else of the model', async () => {
    const roleless = { candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }] };
    const other = { candidates: [{ content: { parts: [{ text: 'b' }], role: 'assistant' } }] };
    expect(JSON.stringify((await assemble([roleless])).turn.entries)).toBe('[{"role":"model","parts":[{"text":"a"}]}]');
    const told = [roleless, other, chunk([{ text: 'c' }])];
    expect((await assemble(told)).turn.entries).toEqual([{ role: 'assistant', parts: [{ text: 'abc' }] }]);
  });

  // python-genai#1791, adk-go#758: parallel calls in chunks of their own are one content, and only the first is signed.
  test('keeps parallel calls in one content, with the one signature where it was', async () => {
    const told = [
      call({ name: 'f', args: { a: 1 } }, { thoughtSignature: 'c2ln' }),
      call({ name: 'g', args: { b: 2 } }),
      call({ name: 'h', args: {} }),
    ];
    const assembled = await assemble(chunks(told));
    expect(assembled.turn.entries).toHaveLength(1);
    expect(parts(assembled)).toEqual(told);
    expect(assembled.turn.toolCalls).toHaveLength(3);
  });

  test.each<[string, readonly JsonObject[], number, readonly string[]]>([
    ['reasoning alone', [{ text: 'Hm.', thought: true }], 0, ['trailing_reasoning 0']],
    ['signed reasoning alone', [{ text: 'Hm.', thought: true, thoughtSignature: 'c2ln' }], 0, ['trailing_reasoning 0']],
    [
      'a text and reasoning behind it',
      [{ text: 'a' }, { text: 'b', thought: true }, { text: 'c', thought: true, thoughtSignature: 'c2ln' }],
      1,
      ['trailing_reasoning 1', 'trailing_reasoning 2'],
    ],
    ['nothing', [], 0, []],
  ])('never ends in reasoning: %s', async (_what, told, count, codes) => {
    const assembled = await assemble(chunks(told));
    expect(parts(assembled)).toHaveLength(count);
    expect(assembled.turn.entries).toHaveLength(count === 0 ? 0 : 1);
    expect(repairs(assembled)).toEqual(codes);
  });

  test('leaves out the reasoning before a call that was cut', async () => {
    const told = [{ text: 'a' }, { text: 'Hm.', thought: true }, call({ name: 'f', args: {} })];
    const assembled = await assemble(chunks(told, 'MAX_TOKENS'));
    expect(parts(assembled)).toEqual([{ text: 'a' }]);
    expect(repairs(assembled)).toEqual(['trailing_reasoning 1', 'cut 2']);
  });

  test('has nothing of citations and the like', async () => {
    const members = { citationMetadata: { citations: [{ uri: 'https://example.test' }] }, avgLogprobs: -0.5 };
    const assembled = await assemble([chunk([{ text: 'a' }], { ...members, finishReason: 'STOP' })]);
    expect(assembled.turn.entries).toEqual([{ role: 'model', parts: [{ text: 'a' }] }]);
    expect(assembled.turn.carry).toEqual({});
  });
});
