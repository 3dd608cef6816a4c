export function installProblem(output: string): string | undefined
