import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuditVia } from '@bey/contract/audit/rules'

const current = new AsyncLocalStorage<true>()

/** Runs a call of an assistant: whatever it does is recorded as `mcp`. */
export function throughAssistant<T>(work: () => T): T {
  return current.run(true, work)
}

/** `mcp` within a call of an assistant, whose requests arrive as those of any other client do; else `via`. */
export function viaNow<V extends AuditVia>(via: V): V | 'mcp' {
  return current.getStore() === true ? 'mcp' : via
}
