import { gemini } from '../../src/gemini.ts';
import { answerOf, beginning, rest, toolContent, toolTurn, whole, wholeOf } from './gemini-answer.ts';
import { asLoopbackClient, byFetch, geminiClients } from './gemini-clients.ts';
import { describeSlowStreams } from './slow-stream-laws.ts';

describeSlowStreams({
  dialect: gemini,
  clients: geminiClients.map(asLoopbackClient),
  byFetch: asLoopbackClient(byFetch),
  beginning,
  rest,
  whole,
  answerOf,
  wholeOf,
  longAnswer: toolTurn,
  longEntries: [JSON.parse(toolContent)],
  keepAlive: [': keep-alive\r\n\r\n', '\r\n'],
  refusal: {
    status: 503,
    body: { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } },
    message: 'UNAVAILABLE: Overloaded',
  },
});
