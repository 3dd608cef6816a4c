import { AppError } from '../errors.ts'
import { isWithin } from '../outbound/networks.ts'

/** Whom an organization lets in, and from where; an empty list allows everybody. */
export type AccessPolicies = {
  /** Domains of e-mail addresses, in lower case. */
  domains: readonly string[]
  /** In CIDR notation. */
  networks: readonly string[]
  /** Whether a session may have begun with a password. */
  allowsPassword: boolean
  /** Whether it asks for a second factor by now, and the user has none. */
  lacksSecondFactor: boolean
}

type Visitor = {
  email: string
  /** Undefined where it was checked before. */
  ip: string | undefined
  /** How the session began; undefined of what is no session, such as a key. */
  method?: string | undefined
}

const refusalCodes = ['forbidden', 'second_factor_required', 'password_sign_in_off'] as const
type Refusal = { code: (typeof refusalCodes)[number]; message: string }

/** Throws AppError where an organization's policies keep somebody out: the code says what would let them in. */
export function requireAdmission(policies: AccessPolicies | null, visitor: Visitor): void {
  const refusal = policyRefusal(policies, visitor)
  if (refusal !== undefined) throw new AppError(refusal.code, refusal.message)
}

/** Whether `requireAdmission` threw it. */
export function isPolicyRefusal(error: unknown): boolean {
  return error instanceof AppError && refusalCodes.some((code) => code === error.code)
}

/** Why an organization's policies keep somebody out; undefined where they do not. */
export function policyRefusal(
  policies: AccessPolicies | null,
  { email, ip, method }: Visitor,
): Refusal | undefined {
  if (policies === null) return undefined
  const { domains, networks, allowsPassword, lacksSecondFactor } = policies
  const domain = domainOf(email)
  if (domains.length > 0 && !domains.includes(domain)) {
    return {
      code: 'forbidden',
      message: `This organization admits addresses of ${domains.join(', ')} only, and yours is of ${domain}. Log in with another account, or ask an owner of the organization.`,
    }
  }
  if (ip !== undefined && networks.length > 0 && !isWithin(networks, ip)) {
    return {
      code: 'forbidden',
      message: `This organization is reached from certain networks only, and your address ${ip} is in none of them. Connect from one, or ask an owner of the organization.`,
    }
  }
  if (lacksSecondFactor) {
    return {
      code: 'second_factor_required',
      message:
        'This organization asks its members for a second factor, and your account has none. Set up an authenticator app or a passkey in your profile.',
    }
  }
  if (!allowsPassword && method === 'password') {
    return {
      code: 'password_sign_in_off',
      message:
        'This organization admits no session that began with a password. Log in with a passkey or a linked account; your profile adds one.',
    }
  }
  return undefined
}

/** What follows the last @, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}
