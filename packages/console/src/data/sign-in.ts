import type {
  CallInput,
  CallOutput,
  OauthProvider,
  PasskeyAssertion,
  PasskeyAttestation,
} from '@bey/contract'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { api, sessionApi } from '../lib/api.ts'
import { retryImport } from '../lib/retry-import.ts'
import { session } from './session.ts'

export type SignInOptions = CallOutput<'auth.options'>

/** How people can sign in here; undefined while the server has not said. */
export function useSignInOptions(isConnected = true): SignInOptions | undefined {
  const options = useQuery({
    queryKey: ['sign-in-options'],
    queryFn: () => sessionApi.call('auth.options', {}),
    enabled: isConnected,
    staleTime: 60_000,
  })
  return options.data
}

type Proof = Omit<CallInput<'auth.secondFactor'>['body'], 'ticket'>

/** Completes a sign-in by its second factor. */
export function completeSignIn(ticket: string, proof: Proof) {
  return session.enter(sessionApi.call('auth.secondFactor', { body: { ticket, ...proof } }))
}

/** Exchanges the code with which a provider's sign-in ends. */
export function exchangeOauth(code: string) {
  return session.enter(sessionApi.call('auth.exchangeOauth', { body: { code } }))
}

/** Enters the demo by the ticket of the address that the server printed at its start. */
export function enterDemoByTicket(ticket: string) {
  return session.enter(sessionApi.call('demo.visit', { body: { ticket } }))
}

/** Logs in with a passkey of the user's choice. */
export async function loginWithPasskey() {
  const passkey = await signWithPasskey({})
  return session.enter(sessionApi.call('auth.passkeyLogin', { body: { passkey } }))
}

/** Has the browser sign with a passkey: for the second step of a ticket, for the present session, or to log in. */
export async function signWithPasskey(body: { ticket?: string }): Promise<PasskeyAssertion> {
  const { options } = await sessionApi.call('auth.passkeyOptions', { body })
  const { startAuthentication } = await library()
  // The server's library made them for the browser's.
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return (await startAuthentication({ optionsJSON })) as unknown as PasskeyAssertion
}

/** Has the browser make a passkey. */
export async function createPasskey(): Promise<PasskeyAttestation> {
  const { options } = await api.call('account.passkeyOptions', {})
  const { startRegistration } = await library()
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return (await startRegistration({ optionsJSON })) as unknown as PasskeyAttestation
}

const library = () => retryImport(() => import('@simplewebauthn/browser'))

/** Whether an error says that the user closed the browser's passkey dialog, which needs no words. */
export function isPasskeyCancelled(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}

/** The address at the provider to sign in, to link an account, or to confirm the session. */
export async function oauthAddress(
  provider: OauthProvider,
  query: NonNullable<CallInput<'auth.startOauth'>['query']>,
): Promise<string | undefined> {
  const client = query.intent === 'link' ? api : sessionApi
  const { authorizationUrl } = await client.call('auth.startOauth', { params: { provider }, query })
  return authorizationUrl || undefined
}

/** Sends a link to choose a new password; whether by mail. */
export async function requestPasswordReset(email: string): Promise<{ sendsMail: boolean }> {
  return sessionApi.call('auth.forgotPassword', { body: { email } })
}

export async function resetPassword(token: string, password: string): Promise<{ endedSessions: number }> {
  return sessionApi.call('auth.resetPassword', { body: { token, password } })
}

export async function stepUpMethods(): Promise<CallOutput<'auth.stepUpMethods'>> {
  return sessionApi.call('auth.stepUpMethods', {})
}

export async function confirmIdentity(proof: Proof & { password?: string }): Promise<void> {
  await sessionApi.call('auth.stepUp', { body: proof })
}

/** Why passkeys cannot be used here; undefined where they can. */
export function passkeyRefusal(options: SignInOptions | undefined): string | undefined {
  if (options === undefined) return 'Checking whether passkeys work at this address.'
  if (options.passkeyRefusal !== null) return options.passkeyRefusal
  if (!window.isSecureContext) return 'Passkeys need HTTPS. Open the console at https://.'
  return typeof window.PublicKeyCredential === 'function' ? undefined : 'This browser has no passkeys.'
}
