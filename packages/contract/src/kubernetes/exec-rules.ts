/** A ticket travels as a subprotocol, for a browser's WebSocket can set no header, and an address is written to logs. */
export const ticketProtocolPrefix = 'bey.ticket.'
export const streamTicketSeconds = 30
export const serviceSessionSeconds = 900
