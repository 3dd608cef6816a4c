/** Reasons that Bey itself finds about networks, hosts, certificates and gateways; those of Kubernetes are shown as Kubernetes has them. */
const texts: Readonly<Record<string, string>> = {
  CertificateChain: 'chain incomplete',
  CertificateExpired: 'certificate expired',
  CertificateExpires: 'certificate expiring',
  CertificateMissing: 'certificate missing',
  CertificateNotYetValid: 'certificate not valid yet',
  CertificateUnread: 'certificate not read',
  CertificateUnreadable: 'certificate unreadable',
  CertificateWrongName: 'certificate for other names',
  EndpointsForbidden: 'endpoints not readable',
  GrantsForbidden: 'grants not readable',
  NoBackend: 'no backend',
  NoReadyEndpoints: 'no endpoint ready',
  NotAsHeld: 'differs from its definition',
  NotAccepted: 'not accepted',
  NotAttached: 'not attached',
  PortMissing: 'port missing',
  RefNotPermitted: 'reference not permitted',
  ServiceMissing: 'service missing',
  ServicesForbidden: 'services not readable',
}

/** A reason of a state of health in words: "certificate expired", or "CrashLoopBackOff" as Kubernetes says it. */
export const reasonText = (reason: string): string => texts[reason] ?? reason
