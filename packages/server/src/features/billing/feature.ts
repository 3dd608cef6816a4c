import type { Feature, Parts } from '../../feature.ts'
import type { Notify } from '../notifications/rules/notify.ts'
import { createPaperPrinter } from '../../platform/paper/print-paper.ts'
import { budgetHandlers } from './budgets/service.ts'
import { watchProofs } from './costs/watch.ts'
import { watchBudgets } from './budgets/watch.ts'
import { statementHandlers } from './statements/service.ts'
import { watchStatements } from './statements/watch.ts'
import { billingDemo } from './demo/demo.ts'
import { addUpRounds } from './ledger/add-up-rounds.ts'
import { ledgerHandlers } from './ledger/handlers.ts'
import { priceHandlers } from './prices/service.ts'
import { spendHandlers } from './spend/handlers.ts'

export function billingFeature(
  { database, clock, log, metrics, config }: Parts,
  of: { notify: Notify; version: string },
) {
  const { notify, version } = of
  const parts = { database, clock, log, metrics }
  // A process that only serves requests leaves sums and meters to the others.
  const rounds = config.role === 'web' ? undefined : addUpRounds(parts)
  const watches =
    config.role === 'web'
      ? []
      : [watchBudgets({ ...parts, notify }), watchStatements(parts), watchProofs(parts)]
  return {
    handlers: {
      ...budgetHandlers({ ...parts, notify }),
      ...statementHandlers({
        ...parts,
        printer: createPaperPrinter(config.chromium, log),
        madeBy: `Bey ${version}`,
      }),
      ...spendHandlers(parts),
      ...ledgerHandlers(parts),
      ...priceHandlers(parts),
    },
    demo: billingDemo,
    close: async () => {
      await Promise.all(watches.map((watch) => watch.stop()))
      await rounds?.stop()
    },
  } satisfies Feature
}
