// The least that one event to many sockets costs: the same bytes written to each connection, and the same text sent to
// each socket of the `ws` library. Started by live-floor.ts, which says when to send.
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import type * as Ws from 'ws'
import { root } from '../tools/source-files.ts'
import { textFrame } from '../packages/server/src/platform/live/text-frame.ts'

// It belongs to the server's workspace.
const require = createRequire(join(root, 'packages/server/package.json'))
const { WebSocketServer } = require('ws') as typeof Ws

export type FloorCommand = { send: 'bare' | 'ws'; text: string }

const connections = new Set<Socket>()
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (_socket, { socket }) => connections.add(socket))
server.on('listening', () => process.send?.(server.address()))

process.on('message', ({ send, text }: FloorCommand) => {
  if (send === 'bare') {
    const frame = textFrame(text)
    for (const connection of connections) connection.write(frame)
  } else for (const socket of server.clients) socket.send(text)
})
