import type { CallInput, Instance, InstanceHealth, OauthProvider } from '@bey/contract'
import type { Clock } from '../../platform/clock.ts'
import type { Caller } from '../../platform/http/handlers.ts'
import { readOnlySetting } from '../../platform/read-only.ts'
import { createOperator, type InstanceParts, requireStored } from './operator.ts'
import { presentInstance } from './present.ts'
import { createProviderChanges } from './provider-changes.ts'
import { createSmtpChanges } from './smtp-changes.ts'
import { deleteSetting, writeSetting } from './store.ts'

type Body<
  N extends
    | 'instance.updateGeneral'
    | 'instance.setReadOnly'
    | 'instance.updateSmtp'
    | 'instance.updateProvider',
> = NonNullable<CallInput<N>['body']>

export type InstanceService = {
  get(caller: Caller): Promise<Instance>
  health(caller: Caller): Promise<InstanceHealth>
  updateGeneral(body: Body<'instance.updateGeneral'>, caller: Caller): Promise<Instance>
  setReadOnly(body: Body<'instance.setReadOnly'>, caller: Caller): Promise<Instance>
  updateSmtp(body: Body<'instance.updateSmtp'>, caller: Caller): Promise<Instance>
  removeSmtp(caller: Caller): Promise<Instance>
  testSmtp(caller: Caller): Promise<{ isSent: boolean; detail: string }>
  updateProvider(id: OauthProvider, body: Body<'instance.updateProvider'>, caller: Caller): Promise<Instance>
  removeProvider(id: OauthProvider, caller: Caller): Promise<Instance>
}

/** Settings of the whole server. All throw `forbidden` for anyone who is no owner of the first organization. */
export function createInstanceService(
  parts: InstanceParts & { clock: Clock; doctor: { health(): Promise<InstanceHealth> } },
): InstanceService {
  const { serverSeal, settings, doctor, readOnly, clock } = parts
  const operator = createOperator(parts)
  return {
    ...createSmtpChanges(parts, operator),
    ...createProviderChanges(parts, operator),

    async get(caller) {
      await operator.require(caller)
      return presentInstance(parts, caller)
    },

    async health(caller) {
      await operator.require(caller)
      return doctor.health()
    },

    async setReadOnly({ isOn, reason }, caller) {
      const before = readOnly.state()
      const value = { reason, since: before?.since ?? clock.now().toISOString() }
      return operator.change(caller, {
        action: 'instance.set_read_only',
        diff: {
          isOn: [before !== undefined, isOn],
          ...(isOn && { reason: [before?.reason ?? null, reason] }),
        },
        work: (db) =>
          isOn
            ? writeSetting(db, serverSeal, readOnlySetting, { value, secret: null })
            : deleteSetting(db, readOnlySetting),
        afterwards: readOnly.refresh,
      })
    },

    async updateGeneral(body, caller) {
      const [publicUrl, signup] = [await settings.publicUrl(), await settings.signup()]
      if (body.publicUrl !== (publicUrl.value ?? null)) requireStored(publicUrl.source, 'BEY_PUBLIC_URL')
      if (body.signup !== signup.value) requireStored(signup.source, 'BEY_SIGNUP')
      return operator.change(caller, {
        action: 'instance.update_general',
        diff: {
          publicUrl: [publicUrl.value ?? null, body.publicUrl],
          signup: [signup.value, body.signup],
        },
        work: (db) => writeSetting(db, serverSeal, 'general', { value: body, secret: null }),
      })
    },
  }
}
