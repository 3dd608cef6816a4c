import type { LiveSocket } from '../live/live-socket.ts'
import { createLiveSocket } from '../live/live-socket.ts'
import { fakeClock } from './fake-clock.ts'
import { fakeSockets } from './fake-sockets.ts'

export const credentials = { token: 'tok', organizationId: 7 }

const authenticatedFrame = {
  type: 'AUTHENTICATED',
  payload: {
    success: true,
    connectionId: 'c1',
    userId: 3,
    organizationId: 7,
    user: { id: 3, email: 'ada@example.com', name: 'Ada' },
    ip: '127.0.0.1',
    clusterId: null,
    version: '0.1.0',
  },
}

export const clusterEvent = (organizationId = 7) => ({
  id: 'e1',
  type: 'CLUSTER_PROVISIONING_UPDATE',
  target: 'ALL',
  timestamp: '2026-11-21T12:00:00Z',
  component: 'clusters',
  message: '',
  organizationId,
  data: { clusterId: 1, status: 'COMPLETED' },
})

/** A live socket over fake sockets and a fake clock, with what it logged and which statuses it went through. */
export function liveHarness(url = 'ws://bey/ws') {
  const clock = fakeClock()
  const sockets = fakeSockets()
  const logged: string[] = []
  const statuses: string[] = []
  const chance = { value: 0 }
  const live: LiveSocket = createLiveSocket({
    url,
    openSocket: sockets.open,
    clock,
    random: () => chance.value,
    log: (_, message) => logged.push(message),
  })
  live.onState((state) => {
    if (statuses.at(-1) !== state.connection_status) statuses.push(state.connection_status)
  })

  /** Lets the newest socket open and the server accept it. */
  function accept(frame: object = authenticatedFrame) {
    sockets.last().open()
    clock.advance(100)
    sockets.last().receive(frame)
  }

  return {
    live,
    clock,
    sockets,
    logged,
    statuses,
    chance,
    accept,
    connected: () => {
      live.connect(credentials)
      accept()
    },
    status: () => live.state.connection_status,
    /** Answers the newest command, or another by its index. */
    answerCommand: (index = -1, result: { success: boolean; error?: string } = { success: true }) => {
      const commands = sockets.last().sent.filter((each) => each.type === 'COMMAND')
      const payload = { commandId: commands.at(index)?.id, ...result }
      sockets.last().receive({ type: 'COMMAND_RESULT', id: 'x', payload })
    },
    /** Promises that can settle have settled. */
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  }
}
