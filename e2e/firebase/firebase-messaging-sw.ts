/** The worker of that page: Firebase's own, which shows what arrives while the page is not in sight. */
import { initializeApp } from "firebase/app";
import { getMessaging } from "firebase/messaging/sw";
import { firebaseConfig } from "./config.ts";

getMessaging(initializeApp(firebaseConfig));
