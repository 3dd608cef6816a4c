import type { Instance, InstanceProvider } from '@bey/contract'
import { oauthProviders } from '@bey/contract/auth/sign-in'
import type { Caller } from '../../platform/http/handlers.ts'
import type { InstanceParts } from './operator.ts'
import { presets } from './settings.ts'

/** The settings as the API shows them: without a secret, each with where it is set. */
export async function presentInstance(
  { settings, readOnly }: Pick<InstanceParts, 'settings' | 'readOnly'>,
  caller: Caller,
): Promise<Instance> {
  const [publicUrl, signup, { source, value: smtp }] = [
    await settings.publicUrl(),
    await settings.signup(),
    await settings.smtp(),
  ]
  const origin = publicUrl.value ?? `http://${caller.host}`
  const providers: InstanceProvider[] = []
  for (const id of oauthProviders) {
    const { source: of, value } = await settings.provider(id)
    providers.push({
      id,
      source: of,
      label: value?.label ?? presets[id].label,
      issuer: value?.issuer ?? presets[id].issuer,
      clientId: value?.clientId ?? '',
      redirectUri: `${origin}/api/auth/oauth/${id}/callback`,
    })
  }
  const { reason = '', since = null } = readOnly.state() ?? {}
  return {
    readOnly: { isOn: readOnly.isOn(), reason, since },
    publicUrl: { ...publicUrl, value: publicUrl.value ?? '' },
    signup,
    smtp: {
      source,
      host: smtp?.host ?? '',
      port: smtp?.port ?? 587,
      security: smtp?.security ?? 'starttls',
      user: smtp?.user ?? '',
      hasPassword: Boolean(smtp?.password),
      from: smtp?.from ?? '',
    },
    providers,
  }
}
