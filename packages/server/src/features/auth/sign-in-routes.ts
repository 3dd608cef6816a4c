import type { SignInReply, SignInProvider } from '@bey/contract'
import { oauthProviders } from '@bey/contract/auth/sign-in'
import { type Answer, answer } from '../../platform/http/answer.ts'
import { AppError } from '../../platform/errors.ts'
import type { Handlers, PublicCaller } from '../../platform/http/handlers.ts'
import type { KnownDevices } from '../../platform/http/known-devices.ts'
import type { InstanceSettings } from '../instance/settings.ts'
import type { Session } from './sign-in.ts'
import type { OauthEnd, OauthService } from './oauth/service.ts'
import type { Ceremonies } from './passkeys/ceremony.ts'
import type { PasskeyService } from './passkeys/service.ts'
import type { PasswordReset } from './password-reset/reset.ts'
import type { Proof } from './two-factor/proof.ts'
import type { StepUpService } from './two-factor/step-up.ts'

export type SignInRouteNames =
  | 'auth.options'
  | 'auth.secondFactor'
  | 'auth.stepUp'
  | 'auth.stepUpMethods'
  | 'auth.forgotPassword'
  | 'auth.resetPassword'
  | 'auth.startOauth'
  | 'auth.finishOauth'
  | 'auth.exchangeOauth'
  | 'auth.passkeyOptions'
  | 'auth.passkeyLogin'

export type SignInServices = {
  settings: InstanceSettings
  labels: Record<(typeof oauthProviders)[number], { label: string }>
  ceremonies: Pick<Ceremonies, 'refusalAt'>
  passkeys: PasskeyService
  oauth: OauthService
  reset: PasswordReset
  stepUp: StepUpService
  secondFactor(input: Proof & { ticket: string }, caller: PublicCaller): Promise<Session>
  isMailConfigured(): Promise<boolean>
}

/** A session with the cookie by which its browser is known from then on; what is no session yet comes without. */
export function onKnownDevice<R extends SignInReply>(
  devices: Pick<KnownDevices, 'cookieOf'>,
  reply: R,
): Answer<R> {
  const headers: Record<string, string> = {}
  if ('token' in reply) headers['set-cookie'] = devices.cookieOf(reply.user.email)
  return answer(reply, { headers })
}

export function signInRoutes(
  services: SignInServices,
  devices: Pick<KnownDevices, 'cookieOf'>,
): Handlers<SignInRouteNames> {
  const { settings, labels, ceremonies, passkeys, oauth, reset, stepUp, isMailConfigured } = services
  return {
    'auth.options': async ({ caller }) => {
      const providers: SignInProvider[] = []
      for (const id of oauthProviders) {
        const { value } = await settings.provider(id)
        // GitHub and Google are specified; any other is there once it is set up.
        if (value === undefined && id === 'oidc') continue
        providers.push({ id, label: value?.label ?? labels[id].label, isConfigured: value !== undefined })
      }
      return {
        providers,
        passkeyRefusal: (await ceremonies.refusalAt(caller.host)) ?? null,
        signup: (await settings.signup()).value,
        sendsMail: await isMailConfigured(),
      }
    },
    'auth.secondFactor': async ({ body, caller }) =>
      onKnownDevice(devices, await services.secondFactor(body, caller)),
    'auth.stepUp': ({ body, caller }) => stepUp.confirm(body, caller),
    'auth.stepUpMethods': ({ caller }) => stepUp.methods(caller),
    'auth.forgotPassword': async ({ body, caller }) => {
      await reset.request(body.email, caller)
      return { sendsMail: await isMailConfigured() }
    },
    'auth.resetPassword': ({ body, caller }) => reset.reset(body, caller),
    'auth.startOauth': async ({ params, query, caller }) => {
      const { provider } = params
      const started = await oauth.start(provider, query, caller).catch((error: unknown) => {
        // A page reads the reason; a browser that navigates would show it as it is.
        if (caller.prefersHtml && error instanceof AppError) return undefined
        throw error
      })
      if (started === undefined) {
        const location = pageOf({ provider, error: 'not_available' })
        return answer({ authorizationUrl: location }, { status: 302, headers: { location } })
      }
      const { authorizationUrl, setCookie } = started
      const headers: Record<string, string> = { 'set-cookie': setCookie }
      // Who navigates here is led on; who calls gets the address.
      if (!caller.prefersHtml) return answer({ authorizationUrl }, { headers })
      return answer(
        { authorizationUrl },
        { status: 302, headers: { ...headers, location: authorizationUrl } },
      )
    },
    'auth.finishOauth': async ({ params, query, caller }) => {
      const end = await oauth.finish(params.provider, query, caller)
      return answer('', { headers: { location: pageOf(end) } })
    },
    'auth.exchangeOauth': async ({ body, caller }) =>
      onKnownDevice(devices, await oauth.exchange(body.code, caller)),
    'auth.passkeyOptions': ({ body, caller }) => passkeys.options(body.ticket, caller),
    'auth.passkeyLogin': async ({ body, caller }) =>
      onKnownDevice(devices, await passkeys.logIn(body.passkey, caller)),
  }
}

/** The page of the console that goes on. What it needs stands behind the hash, which reaches no server and no log. */
function pageOf(end: OauthEnd): string {
  const parts = new URLSearchParams()
  for (const [name, value] of Object.entries(end)) if (value !== undefined) parts.set(name, value)
  return `/oauth/callback#${parts.toString()}`
}
