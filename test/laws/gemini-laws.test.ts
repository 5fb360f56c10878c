import { gemini } from '../../src/gemini.ts';
import { listRecordings } from '../recordings.ts';
import { dialectLaws, type Sample } from './dialect-laws.ts';

/** Invented streams, so that the laws are tested where no recordings are. */
const invented: Readonly<Record<string, readonly string[]>> = {
  'signatures in every place': [
    '{"candidates":[{"content":{"parts":[{"text":"Where is the buoy?","thought":true}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":7},"modelVersion":"gemini-test","responseId":"laws1"}',
    '{"candidates":[{"content":{"parts":[{"text":"At the \\ud83d"}],"role":"model"},"index":0}]}',
    '{"candidates":[{"content":{"parts":[{"text":"\\udea2 mole.","thoughtSignature":"c2VjcmV0LW9uZQ=="},{"text":""}],"role":"model"},"index":0}]}',
    '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"buoy","args":{"id": 12345678901234567890, "at": 1.0}},"thoughtSignature":"c2VjcmV0LXR3bw=="}],"role":"model"},"index":0}]}',
    '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"buoy"}}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":9}}',
  ],
  'a call in pieces and what a server runs': [
    '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"plot","willContinue":true},"thoughtSignature":"c2VjcmV0LXRocmVl"}],"role":"model"}}],"responseId":"laws2"}',
    '{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.course[0].to","stringValue":"Fl","willContinue":true}],"willContinue":true}}]}}]}',
    '{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.course[0].to","stringValue":"int"},{"jsonPath":"$.course[0].deg","numberValue":1.5}],"willContinue":true}}]}}]}',
    '{"candidates":[{"content":{"parts":[{"functionCall":{}}]}}]}',
    '{"candidates":[{"content":{"parts":[{"executableCode":{"language":"PYTHON","code":"print(1)"},"thoughtSignature":"c2VjcmV0LWZvdXI="},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1\\n"}},{"text":"Done."}]},"citationMetadata":{"citations":[{"uri":"https://example.test/a"}]}}]}',
    '{"candidates":[{"content":{"role":"model"},"finishReason":"STOP","groundingMetadata":{"webSearchQueries":["flint"]}}]}',
  ],
  'an answer that the token limit cut in a call': [
    '{"candidates":[{"content":{"parts":[{"text":"So: "},{"functionCall":{"id":"a1","name":"sound","args":{"depth":[1,2.50]}}}],"role":"model"},"finishReason":"MAX_TOKENS","index":0}],"responseId":"laws3"}',
  ],
  'an error in the middle': [
    '{"candidates":[{"content":{"parts":[{"text":"Half"}],"role":"model"},"finishReason":"STOP","index":0}]}',
    '{"error":{"code":503,"message":"The model is overloaded","status":"UNAVAILABLE"}}',
  ],
};

const samples: Sample[] = Object.entries(invented).map(([name, chunks]) => ({
  name,
  bytes: new TextEncoder().encode(chunks.map((chunk) => `data: ${chunk}\r\n\r\n`).join('')),
  dialect: gemini,
}));

const cases: Sample[] = listRecordings('cases/gemini').map(({ name, bytes }) => ({ name, bytes, dialect: gemini }));

dialectLaws('gemini, by the dialect laws, on invented streams', samples);
if (cases.length > 0) dialectLaws('gemini, by the dialect laws, on the cases', cases);
