import type { MeterPrice } from '@bey/contract'

const everywhere = { provider: null, region: null, nodeType: null }
const flat = (price: string) => [{ upTo: null, price }]

/** Prices that hold until an owner saves some: an example, and called one wherever amounts are shown. */
export const examplePrices: { currency: string; prices: MeterPrice[] } = {
  currency: 'EUR',
  prices: [
    { meter: 'node_hours', ...everywhere, per: 1, tiers: flat('0.10') },
    { meter: 'node_hours', ...everywhere, nodeType: '16x64', per: 1, tiers: flat('0.40') },
    { meter: 'node_hours', ...everywhere, nodeType: '8x32', per: 1, tiers: flat('0.20') },
    { meter: 'node_hours', ...everywhere, nodeType: '4x16', per: 1, tiers: flat('0.10') },
    { meter: 'node_hours', ...everywhere, nodeType: '2x8', per: 1, tiers: flat('0.05') },
    { meter: 'database_gb_hours', ...everywhere, per: 1, tiers: flat('0.0054') },
    { meter: 'log_gb', ...everywhere, per: 1, tiers: flat('0.45') },
    { meter: 'runs', ...everywhere, per: 1, tiers: flat('0.02') },
    { meter: 'step_seconds', ...everywhere, per: 1, tiers: flat('0.00012') },
    { meter: 'secret_reads', ...everywhere, per: 1_000, tiers: flat('0.15') },
    { meter: 'api_calls', ...everywhere, per: 1_000, tiers: flat('0.004') },
    { meter: 'webhook_attempts', ...everywhere, per: 1_000, tiers: flat('0.10') },
  ],
}
