import { setTimeout as wait } from 'node:timers/promises'
import { exitCodes } from '../errors.ts'
import { formatOf, printReply } from '../output/print.ts'
import type { Call } from './hand-made.ts'
import { untilAnswered } from './follow-run.ts'

const pollMs = 500

/** Lets the server recompute the chain of the audit log and waits. Ends with 1 where the chain is broken. */
export async function verifyAudit({ session }: Call): Promise<number> {
  const { client, terminal, flags, signal } = session
  let verification = await client.call('audit.verify', {}, { signal })
  while (verification.state === 'running') {
    await wait(pollMs, undefined, { signal })
    verification = await untilAnswered(() => client.call('audit.verification', {}, { signal }), signal)
  }
  const { state, checked, total, fault, checkpoint } = verification
  const isIntact = state === 'intact'
  if (formatOf(flags) === 'table') {
    const against = checkpoint ? ` It agrees with the checkpoint of ${checkpoint.at}.` : ''
    const where = fault ? ` It breaks at position ${fault.position}: ${fault.problem}` : ''
    terminal.out(
      isIntact
        ? `✓ The audit log is intact: ${checked} entries.${against}\n`
        : `✗ The audit log is ${state}: ${checked} of ${total} entries were checked.${where}\n`,
    )
  } else printReply(terminal, verification, flags, { columns: [] })
  return isIntact ? exitCodes.ok : exitCodes.error
}
