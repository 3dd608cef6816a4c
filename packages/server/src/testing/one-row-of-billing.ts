import { uuidv7 } from '../platform/crypto/uuid.ts'
import type { Db } from '../platform/db/database.ts'
import { appliedSavings } from '../tables/applied-savings.ts'
import { budgets } from '../tables/budgets.ts'
import { statementLines, statements } from '../tables/statements.ts'

/** A budget, an applied saving, and a statement with a line. */
export async function insertBillingRows(db: Db, organizationId: number): Promise<void> {
  const at = new Date('2026-01-01T02:00:00Z')
  await db.insert(budgets).values({
    id: uuidv7(),
    organizationId,
    name: 'one',
    amount: '100',
    currency: 'EUR',
    scopeBy: 'all',
    scopeKey: '',
    action: 'notify',
    stateSince: at,
    month: '2025-12',
    checkAt: new Date('9999-01-01T00:00:00Z'),
  })
  await db.insert(appliedSavings).values({
    id: uuidv7(),
    organizationId,
    savingId: 'spare-node/1/4x16',
    kind: 'spare_node',
    title: 'prod has 1 node too many',
    text: 'prod-1 was removed from prod.',
    amount: '73.05',
    currency: 'EUR',
    isDirect: true,
    clusterId: 1,
    change: { kind: 'node', node: 'prod-1', group: 'workers' },
    appliedAt: at,
  })
  await db.insert(statements).values({
    organizationId,
    number: 1,
    month: '2025-12',
    fromAt: new Date('2025-12-01T00:00:00Z'),
    toAt: new Date('2026-01-01T00:00:00Z'),
    timeZone: 'UTC',
    currency: 'EUR',
    priceVersions: [0],
    isSeeded: false,
    frozenAt: at,
  })
  await db.insert(statementLines).values({
    organizationId,
    number: 1,
    position: 1,
    month: '2025-12',
    day: '2025-12-01',
    meter: 'runs',
    subjectId: 1,
    priceVersion: 0,
    currency: 'EUR',
    quantity: '1',
    amount: '0.02',
  })
}
