export function notesOf(changelog: string, version: string): string
export function releaseNotes(changelog: string, version: string, migrations: readonly string[]): string
