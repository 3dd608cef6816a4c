export function emptied(folder: string, mark: string): void
