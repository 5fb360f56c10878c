import type { Command, CommandOption, CommandOptions } from './command.ts';
import { dialectNames } from './dialects.ts';

/** Options that every command has. */
export const commonOptions: CommandOptions = {
  help: { type: 'boolean', short: 'h', help: 'Show this help' },
  version: { type: 'boolean', help: 'Show the version' },
};

const exitCodes = `Exit codes:
  0  done, and the turn is complete (bench does not ask for that), or the
     request has no error
  1  the turn is not complete: cut, failed or aborted; or the request has errors
  2  the command was called in a way that means nothing
  3  the input cannot be read, or is no event stream or request of a known
     dialect, or the output cannot be written
  130 and 143 after an interrupt (Ctrl-C) and a request to terminate`;

/** The help of the whole command line. */
export function generalHelp(commands: readonly Command[]): string {
  const lines = commands.map(({ name, operands, summary }) => twoColumns(`${name} ${operands}`, summary));
  return `Usage: wholeturn <command> [options] <file|->

Reads recorded event streams of language models: the bodies of answers with
content type text/event-stream. \`-\` reads from stdin, as it arrives. Only
\`check\` reads something else, the body of a request.

Commands:
${lines.join('\n')}

Options:
${optionLines(commonOptions)}

\`wholeturn <command> --help\` tells more of a command. Dialects: ${dialectNames()}.

${exitCodes}
`;
}

/** The help of one command. */
export function commandHelp({ name, operands, summary, details, options }: Command): string {
  return `Usage: wholeturn ${name} [options] ${operands}

${summary}.
${details}

Options:
${optionLines({ ...options, ...commonOptions })}

Dialects: ${dialectNames()}.

${exitCodes}
`;
}

function optionLines(options: CommandOptions): string {
  return Object.entries(options)
    .map(([name, option]) => twoColumns(optionText(name, option), option.help))
    .join('\n');
}

function optionText(name: string, { short, valueName }: CommandOption): string {
  const letter = short === undefined ? '' : `-${short}, `;
  return valueName === undefined ? `${letter}--${name}` : `${letter}--${name} ${valueName}`;
}

function twoColumns(left: string, right: string): string {
  return `  ${left.padEnd(23)}  ${right}`;
}
