/** The command line or the settings are wrong, so that no task can run. */
export class UsageProblem extends Error {}
