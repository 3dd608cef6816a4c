import type { SweepCalls } from '../../testing/sweep.ts'

const smtp = {
  host: 'mail.example.com',
  port: 587,
  security: 'starttls',
  user: 'bey',
  from: 'bey@example.com',
}
const client = { clientId: 'id', clientSecret: 'secret', issuer: 'https://login.example.com' }
const toOperator = { role: 'OWNER' } as const

export const sweepCalls: SweepCalls = {
  'instance.get': { ...toOperator, call: () => ({}) },
  'instance.health': { ...toOperator, call: () => ({}) },
  'instance.updateGeneral': {
    ...toOperator,
    call: () => ({ body: { publicUrl: null, signup: 'open' } }),
  },
  // Off, as it is: the rest of the sweep changes things.
  'instance.setReadOnly': { ...toOperator, call: () => ({ body: { isOn: false } }) },
  'instance.updateSmtp': { ...toOperator, call: () => ({ body: smtp }) },
  'instance.removeSmtp': { ...toOperator, call: () => ({}) },
  'instance.testSmtp': { ...toOperator, call: () => ({}) },
  'instance.updateProvider': {
    ...toOperator,
    call: () => ({ params: { provider: 'oidc' }, body: client }),
  },
  'instance.removeProvider': { ...toOperator, call: () => ({ params: { provider: 'oidc' } }) },
}
