import type { BelongingsKind } from '../../../platform/belongings.ts'
import { endAccess } from '../../../platform/live/access-end.ts'
import { listTokensOfUser, revokeTokensOfUser } from './token-store.ts'

/** Kubeconfig tokens of a person: they act in the name of a member, so they end with the membership. */
export const tokenBelongings: BelongingsKind = {
  kind: 'kubeconfig_tokens',
  label: 'Kubeconfig tokens',
  hint: 'They act in the name of the person and end within a second, with what kubectl has open.',
  choices: ['end'],
  async list(db, member, limit) {
    const { rows, total } = await listTokensOfUser(db, member, limit)
    return {
      total,
      items: rows.map(({ id, label, clusterTitle }) => ({ id, name: label, detail: clusterTitle })),
    }
  },
  async settle(db, member) {
    const ids = await revokeTokensOfUser(db, member)
    for (const id of ids) await endAccess(db, { kind: 'token', id })
    return ids.length
  },
}
