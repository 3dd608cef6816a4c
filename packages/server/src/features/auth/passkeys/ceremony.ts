import type { PasskeyAssertion, PasskeyAttestation } from '@bey/contract'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Clock } from '../../../platform/clock.ts'
import { randomBytes } from 'node:crypto'
import type { Database, Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { PublicCaller } from '../../../platform/http/handlers.ts'
import { issueTicket, takeTicket, type TicketData } from '../tickets.ts'
import { publicSiteOf, type RelyingParty, relyingPartyOf } from './relying-party.ts'
import { type PasskeyRow, passkeyById, passkeysOf } from './store.ts'

type Purpose = TicketData['passkey']['purpose']
type Json = Record<string, unknown>

/** A passkey whose signature was right; `use` of the store makes it count. */
type VerifiedPasskey = { row: PasskeyRow; newCounter: number; isUserVerified: boolean }

type NewPasskey = Pick<
  PasskeyRow,
  'id' | 'publicKey' | 'counter' | 'transports' | 'relyingParty' | 'isBackedUp'
>

// Loaded at its first use: it brings parsers of ASN.1 and CBOR that most servers never need.
const library = () => import('@simplewebauthn/server')

export type Ceremonies = {
  refusalAt(host: string): Promise<string | undefined>
  /**
   * The relying party that the public address fixes, undefined while none is set. Not that of the caller's address: anyone who
   * knows a password would choose one where no passkey can be asked for.
   */
  publicSite(): Promise<string | undefined>
  /** Options to sign with a passkey: any of this address, or those of `userId`. Throws `conflict` with the reason. */
  requestOptions(
    purpose: Exclude<Purpose, 'register'>,
    userId: number | null,
    caller: PublicCaller,
  ): Promise<Json>
  /** Undefined for a wrong or old challenge, another site, another user's passkey, or a wrong signature. */
  verify(
    assertion: PasskeyAssertion,
    purpose: Exclude<Purpose, 'register'>,
    userId: number | undefined,
    caller: PublicCaller,
  ): Promise<VerifiedPasskey | undefined>
  creationOptions(user: { id: number; email: string; name: string }, caller: PublicCaller): Promise<Json>
  /** Undefined for a wrong or old challenge, or another site. */
  verifyNew(
    attestation: PasskeyAttestation,
    userId: number,
    caller: PublicCaller,
  ): Promise<NewPasskey | undefined>
}

/** The two ceremonies of WebAuthn (Level 3, section 7), each with a challenge of its own that is good once. */
export function createCeremonies(options: {
  database: Pick<Database, 'asSystem'>
  clock: Clock
  publicUrl(): Promise<string | undefined>
}): Ceremonies {
  const { database, clock } = options
  const system = <T>(work: (db: Db) => Promise<T>) => database.asSystem('use passkeys', work)

  async function partyOf(caller: PublicCaller): Promise<RelyingParty> {
    const party = relyingPartyOf(caller.host, await options.publicUrl())
    if ('refusal' in party) throw new AppError('conflict', party.refusal)
    return party
  }

  async function newChallenge(db: Db, data: TicketData['passkey'], userId: number | null) {
    const challenge = randomBytes(32)
    const token = challenge.toString('base64url')
    await issueTicket(db, 'passkey', { userId, data, now: clock.now(), token })
    return new Uint8Array(challenge)
  }

  /** The challenge that a response says it signed, used up; undefined where it is none of ours for this purpose. */
  async function takeChallenge(clientData: string, purpose: Purpose, userId: number | undefined) {
    const challenge = challengeIn(clientData)
    if (challenge === undefined) return undefined
    const ticket = await system((db) => takeTicket(db, 'passkey', challenge, clock.now()))
    if (ticket?.data.purpose !== purpose) return undefined
    if (purpose !== 'login' && ticket.userId !== userId) return undefined
    return { challenge, relyingParty: ticket.data.relyingParty }
  }

  return {
    async refusalAt(host) {
      const party = relyingPartyOf(host, await options.publicUrl())
      return 'refusal' in party ? party.refusal : undefined
    },

    async publicSite() {
      return publicSiteOf(await options.publicUrl())
    },

    async requestOptions(purpose, userId, caller) {
      const { id: rpID } = await partyOf(caller)
      const { generateAuthenticationOptions } = await library()
      const { challenge, known } = await system(async (db) => ({
        challenge: await newChallenge(db, { purpose, relyingParty: rpID }, userId),
        known: userId === null ? undefined : await passkeysOf(db, userId),
      }))
      const allowCredentials = known
        ?.filter(({ relyingParty }) => relyingParty === rpID)
        .map(({ id, transports }) => ({ id, transports: transports as AuthenticatorTransport[] }))
      if (allowCredentials?.length === 0) {
        throw new AppError('conflict', `You have no passkey for ${rpID}. Use another way to sign in.`)
      }
      const made = await generateAuthenticationOptions({
        rpID,
        challenge,
        // Alone it must be two factors: the device, and who unlocks it.
        userVerification: purpose === 'login' ? 'required' : 'preferred',
        ...(allowCredentials && { allowCredentials }),
      })
      return { ...made }
    },

    async verify(assertion, purpose, userId, caller) {
      const party = await partyOf(caller)
      const taken = await takeChallenge(assertion.response.clientDataJSON, purpose, userId)
      const row = await system((db) => passkeyById(db, assertion.id))
      if (taken === undefined || row === undefined || row.relyingParty !== taken.relyingParty)
        return undefined
      if (userId !== undefined && row.userId !== userId) return undefined
      const { verifyAuthenticationResponse } = await library()
      const verified = await refusedAsUndefined(
        verifyAuthenticationResponse({
          response: assertion as AuthenticationResponseJSON,
          expectedChallenge: taken.challenge,
          expectedOrigin: party.origins,
          expectedRPID: row.relyingParty,
          requireUserVerification: purpose === 'login',
          credential: { id: row.id, publicKey: new Uint8Array(row.publicKey), counter: row.counter },
        }),
      )
      if (!verified?.verified) return undefined
      const { newCounter, userVerified } = verified.authenticationInfo
      return { row, newCounter, isUserVerified: userVerified }
    },

    async creationOptions(user, caller) {
      const { id: rpID } = await partyOf(caller)
      const { generateRegistrationOptions } = await library()
      const { challenge, known } = await system(async (db) => ({
        challenge: await newChallenge(db, { purpose: 'register', relyingParty: rpID }, user.id),
        known: await passkeysOf(db, user.id),
      }))
      const made = await generateRegistrationOptions({
        rpName: 'Bey',
        rpID,
        userName: user.email,
        userDisplayName: user.name,
        userID: new TextEncoder().encode(`bey-user-${user.id}`),
        challenge,
        // EdDSA, ES256 and RS256: what every authenticator has one of.
        supportedAlgorithmIDs: [-8, -7, -257],
        excludeCredentials: known.map(({ id }) => ({ id })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      return { ...made }
    },

    async verifyNew(attestation, userId, caller) {
      const party = await partyOf(caller)
      const taken = await takeChallenge(attestation.response.clientDataJSON, 'register', userId)
      if (taken === undefined) return undefined
      const { verifyRegistrationResponse } = await library()
      const verified = await refusedAsUndefined(
        verifyRegistrationResponse({
          response: attestation as RegistrationResponseJSON,
          expectedChallenge: taken.challenge,
          expectedOrigin: party.origins,
          expectedRPID: taken.relyingParty,
          requireUserVerification: true,
        }),
      )
      if (!verified?.verified) return undefined
      const { credential, credentialBackedUp } = verified.registrationInfo
      return {
        id: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: credential.transports ?? [],
        relyingParty: taken.relyingParty,
        isBackedUp: credentialBackedUp,
      }
    },
  }
}

/** The library throws for what does not fit; its reasons say nothing that the person at the browser could use. */
async function refusedAsUndefined<T>(verification: Promise<T>): Promise<T | undefined> {
  try {
    return await verification
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

function challengeIn(clientData: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8'))
    const challenge =
      typeof parsed === 'object' && parsed !== null && 'challenge' in parsed ? parsed.challenge : ''
    return typeof challenge === 'string' && challenge !== '' ? challenge : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
