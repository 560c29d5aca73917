/** The worker's question to a page. The page answers through the port that the question brings: with the address it shows. */
export const addressQuestion = "sineta-url";
