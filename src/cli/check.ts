import type { Finding } from '../core/finding.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import { checkRequest } from '../replay/check-request.ts';
import { CliError, exitCode } from './cli-error.ts';
import type { Command } from './command.ts';
import { dialectByName, dialectNames } from './dialects.ts';
import { readPath, readString } from './options.ts';
import { readRequest } from './read-request.ts';
import { requestDialect } from './request-dialect.ts';
import { visibleJson, visibleLine } from './visible.ts';

/** `wholeturn check`: tells what the provider would refuse of a request, before it is sent. */
export const check: Command = {
  name: 'check',
  operands: '<request.json|->',
  summary: 'Tell what would be refused of a request',
  details: `Reads the body of a request, in JSON. An error is what the provider would
refuse, a warning what it would silently spoil, or refuse on some servers. A
body that was recorded as sent to Gemini lacks the model: it is in the URL.`,
  options: {
    previous: { type: 'string', valueName: 'FILE', help: 'The request before it in the same conversation' },
    json: { type: 'boolean', help: 'Print the findings as a JSON array' },
    dialect: { type: 'string', valueName: 'NAME', help: 'Its dialect; the body tells by default' },
  },
  async run(given, io) {
    const [path, previousPath, name] = [readPath(given), readString(given, 'previous'), readString(given, 'dialect')];
    if (path === '-' && previousPath === '-') throw CliError.usage('Only one request can come in on stdin');
    const named = name === undefined ? undefined : dialectByName(name);
    const body = await readRequest(path, io);
    const previous = previousPath === undefined ? undefined : await readRequest(previousPath, io);
    const dialect = named ?? requestDialect(body);
    if (!dialect) throw CliError.io(describeUnknown(body));
    const findings = checkRequest(body, dialect, { previous });
    await io.stdout.write(given.values['json'] === true ? findingsJson(findings) : findingsText(findings));
    return findings.some(({ severity }) => severity === 'error') ? exitCode.requestHasErrors : exitCode.ok;
  },
};

function findingsJson(findings: readonly Finding[]): string {
  const lines = findings.map(({ severity, code, path, message }) => {
    return `  ${visibleJson(JSON.stringify({ severity, code, path, message }))}`;
  });
  return lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`;
}

function findingsText(findings: readonly Finding[]): string {
  const lines = findings.map(({ severity, code, path, message }) =>
    visibleLine(`${path}: ${severity} ${code}: ${message}`),
  );
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return `${[...lines, `${counted(errors, 'error')}, ${counted(findings.length - errors, 'warning')}`].join('\n')}\n`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function describeUnknown(body: JsonObject): string {
  const isAnswer = isJsonObject(body['usage']) || 'choices' in body || 'candidates' in body || 'output' in body;
  const what = isAnswer ? 'This is an answer, not a request' : 'This is no request of a dialect known here';
  return `${what} (${dialectNames()}): it has neither messages, input nor contents. Name its dialect with --dialect`;
}
