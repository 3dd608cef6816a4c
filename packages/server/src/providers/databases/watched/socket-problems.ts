import type { ExternalTarget } from '../../../features/databases/provider.ts'

export type Target = Pick<ExternalTarget, 'host' | 'port' | 'databaseName' | 'username' | 'tls' | 'password'>
export type Cause = (target: Target, message: string) => string

export const addressText = ({ host, port }: Target) => `${host}:${port}`

const noRoute: Cause = ({ host }) =>
  `There is no route to ${host}. Check the address and the network of this machine.`
const isUntrusted: Cause = () =>
  'The certificate of the server is not signed by an authority that this machine trusts. Add the certificate of its authority, or use sslmode=require to encrypt without this check.'

/** What is wrong with a connection before its server has said anything, by the code of the error; `label`: the engine. */
export const socketCauses = (label: string): Readonly<Record<string, Cause>> => ({
  ENOTFOUND: ({ host }) =>
    `The host name "${host}" is not known. Check its spelling, and whether this machine can look it up.`,
  EAI_AGAIN: ({ host }) =>
    `The host name "${host}" could not be looked up, because no name server answered. Try again, or use an address.`,
  ECONNREFUSED: ({ host, port }) =>
    `Nothing accepts connections on port ${port} of ${host}. Check the port, and whether ${label} runs there and listens for other machines (bind-address, bind).`,
  ETIMEDOUT: (target) =>
    `The server at ${addressText(target)} does not answer within 10 s. Check the address, and whether a firewall lets this machine through.`,
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  EOUTBOUND: (_target, message) => `Not connected: ${message}.`,
  SELF_SIGNED_CERT_IN_CHAIN: isUntrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: isUntrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: isUntrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: isUntrusted,
  UNABLE_TO_GET_ISSUER_CERT: isUntrusted,
  CERT_HAS_EXPIRED: () =>
    'The certificate of the server has expired. Renew it, or use sslmode=require to encrypt without this check.',
  ERR_TLS_CERT_ALTNAME_INVALID: ({ host }) =>
    `The certificate of the server is for another name than "${host}". Connect by its name, or use sslmode=verify-ca.`,
})
