/** PostgreSQL, appendix A. */
const postgresqlCode = '53100';
const mysqlCodes = ['ER_DISK_FULL', 'ER_RECORD_FILE_FULL'];

/** Whether a database refused something because there is no room for it. */
export function isDiskFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === postgresqlCode || mysqlCodes.includes(String(code));
}
