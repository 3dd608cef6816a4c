import type { ConnectionRights } from '@bey/contract'

const shownNames = 3

/** Rights in one line, for a list. */
export function summaryOf(rights: Omit<ConnectionRights, 'summary' | 'impersonation' | 'rules'>): string {
  if (rights.isAdmin) return 'everything, cluster-admin'
  if (rights.readsAll) {
    const reads = rights.readsSecrets ? 'reads everything' : 'reads all but secrets'
    return `${reads}; ${rights.changesAll ? 'changes workloads' : 'changes nothing'}`
  }
  const { namespaces } = rights
  if (namespaces.length === 0) return 'reads no pods anywhere'
  const names = namespaces.slice(0, shownNames).map(({ name }) => name)
  const rest = namespaces.length - names.length
  const where = rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ')
  const verb = namespaces.every(({ canChange }) => canChange) ? 'reads and changes' : 'reads'
  return `${verb} ${where}; nothing cluster-wide`
}
