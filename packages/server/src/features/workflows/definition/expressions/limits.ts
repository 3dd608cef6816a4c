import { workflowLimits } from '@bey/contract'

/** What one expression or template may take. They hold for everything that a definition evaluates. */
export const expressionLimits = {
  /** Characters of one expression. */
  chars: workflowLimits.expressionChars,
  /** Nodes of its syntax tree, and how deep they are nested. */
  nodes: 2_000,
  depth: 60,
  /** Operations of one evaluation: each node that is evaluated, and a share for each 64 characters or items of it. */
  steps: 1_000_000,
  /** Items of lists and maps, and each 16 characters of texts, in any value that is made on the way. */
  valueSize: 1_000_000,
  /** One evaluation, in milliseconds; the number of steps ends it before on a machine that is not overloaded. */
  timeMs: 1_000,
  /** A result as JSON. */
  resultBytes: workflowLimits.payloadBytes,
  /** Lists and objects within each other, in a config and in a result. */
  valueDepth: 64,
  /** Characters of a regular expression. */
  patternChars: 1_000,
} as const
