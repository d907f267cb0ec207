/** The header by which every answer says who gave it. */
export const instanceHeader = 'Jig-Instance';

/** Over a socket, the prefix that links are to have: that of the one who passes the request on. */
export const prefixHeader = 'jig-prefix';

/** Over a socket, where the name of the bean browser leads: to the list of the console. */
export const startPageHeader = 'jig-start-page';

/** Says that an instance sent a request, so that it is passed on no further than to another one of the same machine. */
export const passedHeader = 'jig-passed';
