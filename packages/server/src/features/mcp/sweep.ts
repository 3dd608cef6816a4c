import type { SweepCalls } from '../../testing/sweep.ts'

export const sweepCalls: SweepCalls = {
  'mcp.send': {
    call: () => ({
      headers: { accept: 'application/json, text/event-stream' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'sweep', version: '1.0.0' },
        },
      },
    }),
  },
}
