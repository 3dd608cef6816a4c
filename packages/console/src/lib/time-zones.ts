/** The zones of the IANA database that this browser knows, by name, with UTC first. */
export function timeZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
}

/** Where this device is. */
export function deviceTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The zones as options of a select; `current` is among them even if this browser does not know it. */
export function timeZoneOptions(current: string): { value: string; label: string }[] {
  const zones = timeZones()
  return (zones.includes(current) ? zones : [current, ...zones]).map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
  }))
}
