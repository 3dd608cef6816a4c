import type { SecurityPolicies } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'

type Policies = Pick<
  SecurityPolicies,
  'twoFactorFrom' | 'allowsPassword' | 'allowedDomains' | 'allowedNetworks'
>

/** What holds now: "Members log in with a password or a passkey, without a second factor, from anywhere." */
export function policySentence(
  { twoFactorFrom, allowsPassword, allowedDomains, allowedNetworks }: Policies,
  nowMs: number = Date.now(),
): string {
  const means = allowsPassword ? 'a password, a passkey or a linked account' : 'a passkey or a linked account'
  const isRequired = twoFactorFrom !== null && Date.parse(twoFactorFrom) <= nowMs
  const factor = isRequired
    ? 'with a second factor'
    : twoFactorFrom === null
      ? 'without needing a second factor'
      : 'for now without needing a second factor'
  const domains =
    allowedDomains.length === 0
      ? 'of any e-mail domain'
      : `of ${formatCount(allowedDomains.length, 'e-mail domain')}`
  const networks = allowedNetworks.length === 0 ? 'anywhere' : formatCount(allowedNetworks.length, 'network')
  return `Members ${domains} log in with ${means}, ${factor}, from ${networks}.`
}
