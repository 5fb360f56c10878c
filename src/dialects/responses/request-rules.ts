import type { HistoryRule } from '../../core/request-rule.ts';
import { itemWithoutReasoning, mismatchedCiphertext, phaseDropped } from './request-rules/assembled.ts';
import {
  argumentsJson,
  argumentsText,
  callWithoutOutput,
  duplicateCallId,
  duplicateOutput,
  interruptedCalls,
  missingCallId,
  outputBeforeCall,
  outputText,
  outputWithoutCall,
} from './request-rules/calls.ts';
import {
  effortChanged,
  prefixChanged,
  previousResponseNotStored,
  previousResponseWithConversation,
  previousResponseWithHistory,
} from './request-rules/continuation.ts';
import { duplicateItemId, idLength, idPrefix, unstoredReference } from './request-rules/ids.ts';
import { contentType, unknownParameter, unknownRole } from './request-rules/members.ts';
import {
  chatTool,
  missingInclude,
  outputLimit,
  samplingWithReasoning,
  unsupportedEffort,
} from './request-rules/parameters.ts';
import {
  missingReasoningText,
  missingSummary,
  reasoningWithoutFollower,
  unsealedReasoning,
} from './request-rules/reasoning.ts';

/**
 * What can be read off the body of a request to the Responses API.
 *
 * What is certain only of OpenAI's own service is an error for its models, by their names, and a warning for others.
 */
export const responsesRules: readonly HistoryRule[] = [
  reasoningWithoutFollower,
  unsealedReasoning,
  missingSummary,
  missingReasoningText,
  itemWithoutReasoning,
  mismatchedCiphertext,
  phaseDropped,
  outputWithoutCall,
  outputBeforeCall,
  callWithoutOutput,
  interruptedCalls,
  duplicateCallId,
  duplicateOutput,
  missingCallId,
  argumentsText,
  argumentsJson,
  outputText,
  duplicateItemId,
  idPrefix,
  idLength,
  unstoredReference,
  unknownParameter,
  unknownRole,
  contentType,
  samplingWithReasoning,
  unsupportedEffort,
  outputLimit,
  missingInclude,
  chatTool,
  previousResponseWithHistory,
  previousResponseNotStored,
  previousResponseWithConversation,
  effortChanged,
  prefixChanged,
];
