import { responses } from '../../src/responses.ts';
import { answerOf, beginning, rest, sse, toolItems, toolTurn, whole, wholeOf } from './openai-responses-answer.ts';
import { asLoopbackClient, byFetch, responsesClients } from './openai-responses-clients.ts';
import { describeSlowStreams } from './slow-stream-laws.ts';

describeSlowStreams({
  dialect: responses,
  clients: responsesClients.map(asLoopbackClient),
  byFetch: asLoopbackClient(byFetch),
  beginning,
  rest,
  whole,
  answerOf,
  wholeOf,
  longAnswer: toolTurn,
  longEntries: JSON.parse(`[${toolItems}]`),
  keepAlive: [': keep-alive\n\n', sse({ type: 'keepalive' })],
  refusal: {
    status: 503,
    body: { error: { message: 'Slow down', type: 'server_error', param: null, code: null } },
    message: 'server_error: Slow down',
  },
});
