import type { HistoryRule } from '../../core/request-rule.ts';
import { droppedSignature, foreignSignature, mergedSignature, movedSignature } from './request-rules/assembled.ts';
import {
  callShape,
  misplacedResponse,
  missingName,
  partialArgs,
  responseCount,
  responseMatch,
  unansweredCall,
} from './request-rules/calls.ts';
import {
  emptyContents,
  emptyPart,
  emptyParts,
  foreignSide,
  splitAnswer,
  trailingAnswer,
  trailingThought,
  unknownRole,
} from './request-rules/shape.ts';
import { copiedSignature, imageSignature, missingSignature, signatureEncoding } from './request-rules/signatures.ts';
import { budgetAndLevel, thinkingBudget, thinkingLevel, thinkingUnsupported } from './request-rules/thinking.ts';

/**
 * What can be read off the body of a request to Gemini: as the service takes it, or as `@google/genai` does.
 *
 * The service has the model's name in the address: put it into the body as `model`, as the SDK does, or pass the turns.
 * Without it what only some models refuse is a warning.
 */
export const geminiRules: readonly HistoryRule[] = [
  missingSignature,
  signatureEncoding,
  copiedSignature,
  imageSignature,
  movedSignature,
  mergedSignature,
  droppedSignature,
  foreignSignature,
  responseCount,
  unansweredCall,
  misplacedResponse,
  responseMatch,
  partialArgs,
  callShape,
  missingName,
  emptyContents,
  emptyParts,
  emptyPart,
  unknownRole,
  splitAnswer,
  trailingThought,
  trailingAnswer,
  foreignSide,
  budgetAndLevel,
  thinkingLevel,
  thinkingBudget,
  thinkingUnsupported,
];
