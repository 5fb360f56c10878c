import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { createAnthropicService } from '../../demo/anthropic/service.ts';
import { createChatCompletionsService } from '../../demo/chat-completions/service.ts';
import { createGeminiService } from '../../demo/gemini/service.ts';
import { createProvider, type Provider } from '../../demo/provider.ts';
import { createResponsesService } from '../../demo/responses/service.ts';
import { type ScriptedAnswer, script } from '../../demo/script.ts';
import type { Service } from '../../demo/service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const started: Provider[] = [];
const secret = 'sk-secret-of-the-test';
const chat = ['--dialect', 'chat-completions'];
const responses = ['--dialect', 'responses'];
const gemini = ['--dialect', 'gemini'];

afterEach(async () => {
  await Promise.all(started.splice(0).map((provider) => provider.close()));
});

describe('npm run demo', { timeout: 60_000 }, () => {
  test('shows the answer, has it accepted, and has the usual mistake refused', async () => {
    const { code, stdout, stderr } = await run(['--speed', '0'], { ANTHROPIC_API_KEY: secret });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const [faithful = '', mistaken = ''] = stdout.split('with the usual mistake');
    expect(faithful).toContain('I will look at tonight’s aurora forecast, and at the clouds over Tromsø. 🌌');
    expect(faithful).toContain('"note": "tonight, \\ud83c\\udf0c or a 🌠"');
    expect(faithful.match(/messages\.1\.content\.\d +\w+ +\d+ bytes {2}✓ equal\n/g)).toHaveLength(7);
    expect(faithful).toContain('Yes, go out.');
    expect(faithful).toContain('✓ Accepted');
    expect(mistaken.match(/✗ not what was sent here/g)).toHaveLength(2);
    expect(mistaken).toContain(
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`',
    );
    expect(mistaken).toContain('✓ Refused');
  });

  test('does the same with chat completions, where two usual mistakes are refused', async () => {
    const { code, stdout, stderr } = await run([...chat, '--speed', '0'], { OPENROUTER_API_KEY: secret });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const [faithful = '', fragmented = '', silent = ''] = stdout.split('with the usual mistake');
    expect(faithful).toContain('"note": "tonight, \\ud83c\\udf0c or a 🌠"');
    expect(faithful.match(/messages\.1\.reasoning_details\.\d +reasoning\.\w+ +\d+ bytes {2}✓ equal\n/g)).toHaveLength(
      4,
    );
    expect(faithful.match(/messages\.1\.\S+ +\S+ +\d+ bytes {2}✓ equal\n/g)).toHaveLength(8);
    expect(faithful).toContain('✓ Accepted');
    expect(fragmented).toContain('… 46 more of this kind');
    expect(fragmented).toContain('messages.1.reasoning_details.0: Invalid `signature` in `thinking` block');
    expect(silent.match(/✗ missing/g)).toHaveLength(4);
    expect(silent).toContain('messages.1.content.type: Expected `thinking` or `redacted_thinking`, but found `text`');
    expect(stdout.match(/✓ Refused/g)).toHaveLength(2);
  });

  test('does the same with responses, where four usual mistakes are refused', async () => {
    const { code, stdout, stderr } = await run([...responses, '--speed', '0'], { OPENAI_API_KEY: secret });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const [faithful = '', calls = '', silent = '', early = '', renamed = ''] = stdout.split('with the usual mistake');
    expect(faithful).toContain('I will look at tonight’s aurora forecast, and at the clouds over Tromsø. 🌌');
    expect(faithful.match(/input\.[1-5] +\w+ +\d+ bytes {2}✓ equal\n/g)).toHaveLength(5);
    expect(faithful).toContain('✓ Accepted');
    expect(calls).toContain("Item 'fc_demo_aurora' of type 'function_call' was provided without its required");
    expect(silent).toContain(
      "Item 'rs_demo_01_2' of type 'reasoning' was provided without its required following item.",
    );
    expect(early.match(/✗ not what was sent here/g)).toHaveLength(2);
    expect(early).toContain('could not be verified. Reason: Encrypted content could not be decrypted or parsed.');
    expect(renamed).toContain('Reason: Encrypted content item_id did not match the target item id.');
    expect(stdout.match(/✓ Refused/g)).toHaveLength(4);
  });

  test('does the same with gemini, where three usual mistakes are refused', async () => {
    const { code, stdout, stderr } = await run([...gemini, '--speed', '0'], { GEMINI_API_KEY: secret });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const [faithful = '', unsigned = '', chunked = '', split = ''] = stdout.split('with the usual mistake');
    expect(faithful).toContain('"note": "tonight, \\ud83c\\udf0c or a 🌠"');
    expect(faithful.match(/contents\.1\.parts\.\d +\w+ +\d+ bytes {2}✓ equal\n/g)).toHaveLength(5);
    expect(faithful).toContain('✓ Accepted');
    expect(unsigned).toContain('Function call is missing a thought_signature in functionCall parts.');
    expect(unsigned).toContain('function call `default_api:aurora_forecast` , position 2.');
    expect(chunked).toContain('function call `default_api:cloud_cover` , position 17.');
    expect(split).toContain('Please ensure that the number of function response parts is equal to the number of');
    expect(stdout.match(/✓ Refused/g)).toHaveLength(3);
  });

  test.each<[string, readonly string[], Service, number]>([
    ['anthropic', [], createAnthropicService(), 5],
    ['chat-completions', chat, createChatCompletionsService(), 5],
    ['responses', responses, createResponsesService(), 3],
    ['gemini', gemini, createGeminiService(), 2],
  ])('shows no signature, no ciphertext and no escape sequence in a pipe: %s', async (_, args, { answers }, count) => {
    const { stdout } = await run([...args, '--speed', '0']);
    const secrets = answers
      .flatMap(({ blocks }) => blocks)
      .flatMap(
        ({ source }) => /"(?:signature|data|encrypted_content|thoughtSignature)": ?"([^"]+)"/.exec(source)?.[1] ?? [],
      );
    expect(secrets).toHaveLength(count);
    for (const hidden of secrets) expect(stdout).not.toContain(hidden);
    expect(stdout).not.toContain('\x1b');
  });

  test('has the same conversation with a service elsewhere, and never prints the key', async () => {
    const env = { ANTHROPIC_API_KEY: secret, ANTHROPIC_BASE_URL: await serve(createAnthropicService()) };
    const { code, stdout, stderr } = await run(['--live', '--mistake', '--model', 'claude-other'], env);
    expect(code).toBe(0);
    expect(stdout.match(/messages\.1\.content\.\d +\w+ +\d+ bytes\n/g)).toHaveLength(9);
    expect(stdout).toContain('✓ Refused');
    expect(stdout + stderr).not.toContain(secret);
  });

  test('has the conversation of chat completions with a service elsewhere', async () => {
    const env = { OPENROUTER_API_KEY: secret, OPENROUTER_BASE_URL: await serve(createChatCompletionsService()) };
    const { code, stdout, stderr } = await run([...chat, '--live', '--mistake', '--model', 'claude-other'], env);
    expect(code).toBe(0);
    expect(stdout).toContain('claude-other');
    expect(stdout.match(/messages\.1\.\S+ +\S+ +\d+ bytes\n/g)).toHaveLength(8 + 9 + 3);
    expect(stdout.match(/✓ Refused/g)).toHaveLength(2);
    expect(stdout + stderr).not.toContain(secret);
  });

  test('has the conversation of responses with a service elsewhere', async () => {
    const env = { OPENAI_API_KEY: secret, OPENAI_BASE_URL: await serve(createResponsesService()) };
    const { code, stdout, stderr } = await run([...responses, '--live', '--mistake', '--model', 'gpt-other'], env);
    expect(code).toBe(0);
    expect(stdout).toContain('gpt-other');
    expect(stdout.match(/input\.\d +\w+ +\d+ bytes\n/g)).toHaveLength(5 + 2 + 3 + 5 + 5);
    expect(stdout.match(/✓ Refused/g)).toHaveLength(4);
    expect(stdout + stderr).not.toContain(secret);
  });

  test('has the conversation of gemini with a service elsewhere', async () => {
    const env = { GEMINI_API_KEY: secret, GOOGLE_GEMINI_BASE_URL: await serve(createGeminiService()) };
    const { code, stdout, stderr } = await run([...gemini, '--live', '--mistake', '--model', 'gemini-other'], env);
    expect(code).toBe(0);
    expect(stdout).toContain('gemini-other');
    expect(stdout.match(/contents\.1\.parts\.\d +\w+ +\d+ bytes\n/g)).toHaveLength(5 + 5 + 1 + 5);
    expect(stdout.match(/✓ Refused/g)).toHaveLength(3);
    expect(stdout + stderr).not.toContain(secret);
  });

  test('leaves the mistake out with a service elsewhere unless asked for it', async () => {
    const { code, stdout } = await run(['--live'], {
      ANTHROPIC_API_KEY: secret,
      ANTHROPIC_BASE_URL: await serve(createAnthropicService()),
    });
    expect(code).toBe(0);
    expect(stdout).toContain('✓ Accepted');
    expect(stdout).not.toContain('mistake');
  });

  test('fails when the mistake is accepted', async () => {
    const withoutThinking = script.map((answer): ScriptedAnswer => {
      const isKept = ({ type }: { type: string }): boolean =>
        type === (answer.stopReason === 'tool_use' ? 'tool_use' : 'text');
      return { ...answer, blocks: answer.blocks.filter(isKept) };
    });
    const env = { ANTHROPIC_API_KEY: secret, ANTHROPIC_BASE_URL: await serve(createAnthropicService(withoutThinking)) };
    const { code, stdout } = await run(['--live', '--mistake'], env);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ Not refused: the turn is complete.');
  });

  test('fails when nothing goes back', async () => {
    const env = { ANTHROPIC_API_KEY: secret, ANTHROPIC_BASE_URL: await serve(createAnthropicService(script.slice(1))) };
    const { code, stdout } = await run(['--live'], env);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ The model called no tool, so nothing went back.');
  });

  test('stops at once when it is interrupted', async () => {
    const { child, ended } = start(['--speed', '0.01']);
    child.stdout.once('data', () => child.kill('SIGINT'));
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    expect(stdout).not.toContain('✓');
  });

  test.each([
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['chat-completions', 'OPENROUTER_API_KEY'],
    ['responses', 'OPENAI_API_KEY'],
    ['gemini', 'GEMINI_API_KEY'],
  ])('asks for a key with --live: %s', async (dialect, variable) => {
    const { code, stdout, stderr } = await run(['--live', '--dialect', dialect], { [variable]: '' });
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toBe(`--live needs a key in the environment variable ${variable}.\n`);
  });

  test.each([
    [['--speed', '-1'], "'--speed'"],
    [['--speed', 'fast'], "--speed takes a number from 0 up, not 'fast'"],
    [['--fast'], '--fast'],
    [['--dialect', 'klingon'], "--dialect takes anthropic, chat-completions, responses, or gemini, not 'klingon'"],
  ])('explains itself when it is used as %j', async (args, message) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('--speed N');
  });

  test('prints its options with --help', async () => {
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Exit codes:');
  });
});

async function serve(service: Service): Promise<string> {
  const provider = await createProvider({ service, speed: 0 });
  started.push(provider);
  return provider.url;
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return start(args, env).ended;
}

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'demo/main.ts', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve)).then((code) => ({
    code,
    stdout: stdout.join(''),
    stderr: stderr.join(''),
  }));
  return { child, ended };
}

function gather(stream: NodeJS.ReadableStream): string[] {
  const texts: string[] = [];
  stream.setEncoding('utf8').on('data', (text: string) => texts.push(text));
  return texts;
}
