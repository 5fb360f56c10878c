import { gemini } from '../../src/gemini.ts';
import { describeConnections } from './connection-laws.ts';
import { beginning, rest, whole } from './gemini-answer.ts';
import { asLoopbackClient, geminiClients } from './gemini-clients.ts';

describeConnections({ dialect: gemini, clients: geminiClients.map(asLoopbackClient), beginning, rest, whole });
