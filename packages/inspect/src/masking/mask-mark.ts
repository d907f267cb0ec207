/** What stands in the place of anything secret. */
export const maskMark = '******';
