import type { ClientFrame, ControlFrame, EventFrame } from '@bey/contract'

/** A type that this version does not know: handed to subscribers of its name, of `EVENT` and of `*`. */
export type GenericFrame = { type: string; payload?: unknown; data?: unknown; organizationId?: number }

export type ReceivedFrame = ControlFrame | EventFrame | GenericFrame

/** A frame of the socket, or undefined if the text is none. What our own server sends is not checked further. */
export function parseFrame(text: string): GenericFrame | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isFrame(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isFrame(value: unknown): value is GenericFrame {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

const controlTypes: Record<ControlFrame['type'], true> = {
  CONNECTED: true,
  AUTHENTICATED: true,
  PONG: true,
  COMMAND_RESULT: true,
  SUBSCRIPTION_UPDATE: true,
  REFETCH: true,
}

export function isControlFrame(frame: { type: string }): frame is ControlFrame {
  if (!Object.hasOwn(controlTypes, frame.type) || !('payload' in frame)) return false
  return typeof frame.payload === 'object' && frame.payload !== null
}

/** The frame as the message log may keep it. */
export function withoutToken(frame: ClientFrame): unknown {
  if (frame.type !== 'AUTHENTICATE') return frame
  return { ...frame, payload: { ...frame.payload, token: '[redacted]' } }
}
