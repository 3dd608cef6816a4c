/** Sentences of the error catalogue that the socket says. */
export const liveTexts = {
  tokenRequired: 'Cannot connect: Token is required',
  organizationRequired: 'Cannot connect: Organization is required',
  authenticationFailed: 'Authentication failed',
  commandFailed: 'Command failed',
  connectionTimeout: 'Connection timeout',
  connectionClosed: 'Connection closed',
  pingTimeout: 'Ping timeout',
  notConnected: 'Not connected or socket not open',
  nothingToReconnect: 'No credentials or base URL for reconnection',
  commandTimeout: (type: string) => `Command timeout: ${type}`,
} as const
