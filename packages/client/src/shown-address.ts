/** What the worker asks each page: the page answers with the address that it shows, through the port that comes along. */
export const addressQuestion = "sineta-address";
