import { AppError } from '../../platform/errors.ts'
import { type InstanceParts, type Operator, requireStored } from './operator.ts'
import type { InstanceService } from './service.ts'
import { presets, providerSettingName } from './settings.ts'
import { deleteSetting, writeSetting } from './store.ts'

/** The clients for signing in with other providers that are set in the console. */
export function createProviderChanges(
  { serverSeal, settings }: InstanceParts,
  operator: Operator,
): Pick<InstanceService, 'updateProvider' | 'removeProvider'> {
  return {
    async updateProvider(id, { clientId, clientSecret, issuer, label }, caller) {
      const { source, value: known } = await settings.provider(id)
      requireStored(source, `the client of ${presets[id].label}`)
      const address = id === 'google' ? presets.google.issuer : (issuer ?? presets[id].issuer)
      if (address === '')
        throw missing('issuer', 'Enter the address of the provider, such as https://login.example.com.')
      // A stored secret is for the provider and the client that it was entered for.
      const isSame = known?.clientId === clientId && known.issuer === address
      if (clientSecret === undefined && !isSame) throw missing('clientSecret', 'Enter the client secret.')
      const value = { clientId, issuer: address.replace(/\/$/, ''), label: label || presets[id].label }
      return operator.change(caller, {
        action: 'instance.update_provider',
        diff: { provider: id, clientId, issuer: value.issuer },
        work: (db) => writeSetting(db, serverSeal, providerSettingName(id), { value, secret: clientSecret }),
      })
    },

    async removeProvider(id, caller) {
      requireStored((await settings.provider(id)).source, `the client of ${presets[id].label}`)
      return operator.change(caller, {
        action: 'instance.remove_provider',
        diff: { provider: id },
        work: (db) => deleteSetting(db, providerSettingName(id)),
      })
    },
  }
}

function missing(path: string, message: string): AppError {
  return new AppError('invalid_request', message, { errors: [{ path, message }] })
}
