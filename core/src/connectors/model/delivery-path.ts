/** Path of the deliveries of a connection, below the address of this server. */
export const deliveryPath = (hookToken: string): string => `/api/v1/hooks/${hookToken}`;
